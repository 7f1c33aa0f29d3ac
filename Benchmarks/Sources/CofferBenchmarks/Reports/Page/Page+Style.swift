extension Page {
    static let style = """
        :root {
            --paper: #ffffff; --ink: #1d2733; --soft: #5c6a79; --line: #dde3ea; --panel: #f6f8fa;
            --good: #1a7f4b; --bad: #c2410c; --base: #9aa7b4;
            --series-0: #2563c9; --series-1: #c26a08; --series-2: #0d8577; --series-3: #7c4bc0; --series-4: #b83280;
            --series-5: #5f7a1e;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --paper: #14191f; --ink: #e4e9ef; --soft: #9fadbb; --line: #2c3641; --panel: #1b222a;
                --good: #4cc38a; --bad: #f98b5c; --base: #66747f;
                --series-0: #79a8ff; --series-1: #f0a44b; --series-2: #4cc5b5; --series-3: #b592f2; --series-4: #f08cc0;
                --series-5: #a9c95b;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0 auto; max-width: 58rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
            font: 1rem/1.5 system-ui, sans-serif;
        }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
        h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; }
        h3 { font-size: .95rem; margin: 0 0 .3rem; }
        p { margin: .25rem 0 .75rem; max-width: 44rem; }
        .facts, .note, footer { color: var(--soft); font-size: .88rem; }
        .key { display: inline-block; width: .75em; height: .75em; border-radius: 2px; margin-right: .35em; }
        .legend span { margin-right: 1.1em; white-space: nowrap; }
        svg { display: block; overflow: visible; }
        svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
        .rows { display: grid; grid-template-columns: minmax(13rem, 19rem) 1fr 6.5rem; column-gap: 1rem; }
        .rows > * { padding: .1rem 0; border-top: 1px solid var(--line); min-width: 0; }
        .rows > .axis { border: 0; }
        .rows .name { font-size: .9rem; }
        .rows .name b { display: inline-block; min-width: 3.3rem; }
        .rows .value { text-align: right; font-variant-numeric: tabular-nums; }
        .good { color: var(--good); } .bad { color: var(--bad); }
        .grid { stroke: var(--line); } .one { stroke: var(--soft); }
        .dot.good { fill: var(--good); } .dot.bad { fill: var(--bad); } .dot.none { fill: var(--base); }
        .spread { stroke: var(--soft); stroke-width: 2; } .target { stroke: var(--ink); stroke-width: 2; }
        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .9rem; margin-top: 1rem; }
        .card { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .8rem; }
        .bar { display: grid; grid-template-columns: 5.6rem 1fr 5.4rem; gap: .5rem; align-items: center; font-size: .82rem; }
        .bar > :last-child { text-align: right; font-variant-numeric: tabular-nums; }
        .scroll { overflow-x: auto; margin-top: .75rem; }
        table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .7rem .25rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
        th { color: var(--soft); font-weight: 500; }
        th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
        @media (max-width: 40rem) {
            .rows { grid-template-columns: 1fr 5.8rem; }
            .rows > .name { grid-column: 1 / -1; padding-top: .4rem; }
            .rows > .axis.name { display: none; }
            .rows > :not(.name):not(.axis) { border: 0; }
        }
        """
}
