/// What every page of `browse` has: its style and its script.
enum BrowseParts {
    static let style = """
        :root { --ink: #1c1c1e; --soft: #5f6368; --paper: #ffffff; --field: #f3f4f6; --line: #d5d8dc; --link: #0b57d0 }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e8eaed; --soft: #9aa0a6; --paper: #17181a; --field: #24262a; --line: #3c4043; --link: #8ab4f8 }
        }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, sans-serif }
        a { color: var(--link); text-decoration: none }
        a:hover, a:focus { text-decoration: underline }
        header, nav, main, noscript { padding: 0 1rem; max-width: 80rem; margin: 0 auto }
        h1 { font-size: 1.35rem; margin: 1rem 0 0; overflow-wrap: anywhere }
        h2 { font-size: 1.15rem; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere }
        header p, .soft { color: var(--soft); margin: 0 }
        nav { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .8rem }
        nav a, button { border: 1px solid var(--line); border-radius: 1rem; padding: .25rem .8rem; background: var(--field) }
        nav a[aria-current] { background: var(--link); color: var(--paper) }
        button { color: var(--ink); font: inherit; cursor: pointer }
        button:disabled { opacity: .4; cursor: default }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem }
        table { border-collapse: collapse; width: 100% }
        th, td { text-align: left; padding: .35rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top }
        tr:last-child td { border-bottom: 0 }
        thead th { background: var(--field); white-space: nowrap }
        td { max-width: 28rem; overflow-wrap: anywhere; white-space: pre-wrap }
        td.number { text-align: right; font-variant-numeric: tabular-nums }
        td.nothing { color: var(--soft); font-style: italic }
        .turn { display: flex; gap: .6rem; align-items: center; margin: .6rem 0 }
        input { font: inherit; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .5rem;
          background: var(--paper); color: var(--ink); min-width: 0; flex: 1; max-width: 20rem }
        svg { max-width: none; height: auto; display: block }
        svg rect { fill: var(--field); stroke: var(--line) }
        svg text { fill: var(--ink); font: 12px ui-monospace, monospace }
        svg text.name { font: 600 14px system-ui, sans-serif }
        svg text.link { fill: var(--link) }
        svg path { fill: none; stroke: var(--soft); stroke-width: 1.4 }
        svg path.parent { stroke-dasharray: 5 4 }
        svg path.arrow { stroke-width: 1.6 }
        @media (max-width: 40rem) { th, td { padding: .3rem .45rem } body { font-size: 15px } }

        """

    /// Everything that comes from the store is set as text, never as HTML.
    static let script = """
        "use strict";
        const entities = JSON.parse(document.getElementById("data").textContent);
        const byName = new Map(entities.map(entity => [entity.name, entity]));
        for (const entity of entities) entity.byKey = new Map(entity.rows.map(row => [row[0], row]));
        const content = document.getElementById("content");
        const pageSize = 50;

        function make(name, text, attributes) {
          const element = document.createElement(name);
          if (text !== undefined && text !== null) element.textContent = text;
          for (const key in attributes || {}) element.setAttribute(key, attributes[key]);
          return element;
        }
        function address(...parts) { return "#" + parts.map(encodeURIComponent).join("/"); }
        function plural(count, one, several) { return count.toLocaleString("en") + " " + (count === 1 ? one : several); }

        function linkTo(key, names) {
          const owner = names.find(name => byName.has(name) && byName.get(name).byKey.has(key));
          const text = (owner || names[0]) + " " + key;
          return owner ? make("a", text, { href: address(owner, key) }) : make("span", text);
        }
        function fill(cell, value, property) {
          if (value === null) { cell.textContent = "null"; cell.className = "nothing"; return; }
          if (property.to) {
            const keys = Array.isArray(value) ? value : [value];
            keys.forEach((key, index) => {
              if (index > 0) cell.append(", ");
              cell.append(linkTo(key, property.to));
            });
            if (keys.length === 0) { cell.textContent = "none"; cell.className = "nothing"; }
            return;
          }
          cell.textContent = value;
          if (property.numeric) cell.className = "number";
        }

        function showRows(entity, page, word) {
          content.append(make("h2", entity.name));
          let note = plural(entity.count, "row", "rows");
          if (entity.parent) note += ", a kind of " + entity.parent;
          if (entity.rows.length < entity.count) note += "; the page has the first " + entity.rows.length.toLocaleString("en");
          content.append(make("p", note, { class: "soft" }));
          for (const index of entity.indexes) content.append(make("p", index, { class: "soft" }));
          const turn = make("div", null, { class: "turn" });
          const search = make("input", null, { type: "search", placeholder: "Search these rows", "aria-label": "Search these rows" });
          search.value = word;
          turn.append(search);
          content.append(turn);
          const results = make("div");
          content.append(results);
          function draw() {
            results.replaceChildren();
            const wanted = search.value.toLowerCase();
            const rows = wanted === "" ? entity.rows : entity.rows.filter(row =>
              row.some(value => value !== null && String(value).toLowerCase().includes(wanted)));
            const pages = Math.max(1, Math.ceil(rows.length / pageSize));
            page = Math.min(Math.max(page, 1), pages);
            const scroll = make("div", null, { class: "scroll" });
            const table = make("table");
            const head = make("tr");
            head.append(make("th", "id"));
            for (const property of entity.properties) head.append(make("th", property.name, { title: property.type }));
            const top = make("thead");
            top.append(head);
            const body = make("tbody");
            for (const row of rows.slice((page - 1) * pageSize, page * pageSize)) {
              const line = make("tr");
              const first = make("td", null, { class: "number" });
              first.append(make("a", row[0], { href: address(entity.name, row[0]) }));
              line.append(first);
              entity.properties.forEach((property, index) => {
                const cell = make("td");
                fill(cell, row[index + 1], property);
                line.append(cell);
              });
              body.append(line);
            }
            table.append(top, body);
            scroll.append(table);
            results.append(scroll);
            const pager = make("div", null, { class: "turn" });
            const back = make("button", "Back");
            const next = make("button", "Next");
            back.disabled = page === 1;
            next.disabled = page === pages;
            back.onclick = () => { page -= 1; draw(); };
            next.onclick = () => { page += 1; draw(); };
            pager.append(back, make("span", "Page " + page + " of " + pages), next);
            results.append(pager);
          }
          search.oninput = () => { page = 1; draw(); };
          draw();
        }

        function showRow(entity, key) {
          content.append(make("h2", entity.name + " " + key));
          const row = entity.byKey.get(key);
          if (!row) { content.append(make("p", "The page does not have this row.")); return; }
          const scroll = make("div", null, { class: "scroll" });
          const table = make("table");
          const body = make("tbody");
          entity.properties.forEach((property, index) => {
            const line = make("tr");
            line.append(make("th", property.name, { scope: "row", title: property.type }));
            const cell = make("td");
            fill(cell, row[index + 1], property);
            line.append(cell);
            body.append(line);
          });
          table.append(body);
          scroll.append(table);
          content.append(scroll);
        }

        function showAll() {
          const scroll = make("div", null, { class: "scroll" });
          scroll.append(document.getElementById("drawing").content.cloneNode(true));
          content.append(make("h2", "Schema"), scroll);
        }

        function show() {
          content.replaceChildren();
          const [name, key] = location.hash.slice(1).split("/").map(decodeURIComponent);
          const entity = byName.get(name);
          if (!entity) showAll();
          else if (key) showRow(entity, Number(key));
          else showRows(entity, 1, "");
          for (const link of document.querySelectorAll("nav a")) {
            if (link.dataset.entity === name) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
          }
          window.scrollTo(0, 0);
        }

        for (const entity of entities) {
          const link = make("a", entity.name + " " + entity.count.toLocaleString("en"), { href: address(entity.name) });
          link.dataset.entity = entity.name;
          document.getElementById("entities").append(link);
        }
        addEventListener("hashchange", show);
        show();

        """
}
