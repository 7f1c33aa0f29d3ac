"""One object-relational mapper of Python, doing the workloads of coffer-bench over SQLite.

Started as `peers.py NAME`; reads a command from each line of standard input, a JSON object, and answers with one. Times
are processor time of this process. Rows are Python objects that know their changes, as the mapper means them to be used.
"""

import json
import os
import sqlite3
import sys
import time

COLUMNS = ("name", "destination", "startDate", "endDate", "budget", "isFavorite", "rating", "notes", "uuid")


class Unsupported(Exception):
    """The mapper has nothing like this."""


class Tally:
    """Sums over what was read, as the runner checks them."""

    def __init__(self, rows=0):
        self.rows, self.text, self.number = rows, 0, 0

    def trip(self, trip):
        self.rows += 1
        notes = trip.notes
        self.text += len(trip.name.encode()) + len(trip.destination.encode()) + (len(notes.encode()) if notes else 0)
        self.number += int(trip.startDate) + int(trip.endDate) + int(trip.budget)
        self.number += (1 if trip.isFavorite else 0) + (trip.rating or 0) + trip.uuid[0]

    def stop(self, stop):
        self.rows += 1
        self.text += len(stop.title.encode())
        self.number += stop.order

    def group(self, name, count, total):
        self.rows += count
        self.text += len(name.encode())
        self.number += int(total)


class Data:
    """The rows, read from a file that the runner made, and what the workloads ask for."""

    def __init__(self, form):
        self.__dict__.update(form)
        connection = sqlite3.connect(form["path"])
        names = ", ".join(COLUMNS)
        self.trips = [dict(zip(COLUMNS, row)) for row in connection.execute(f"SELECT {names} FROM Trip ORDER BY _pk")]
        for trip in self.trips:
            trip["isFavorite"] = bool(trip["isFavorite"])
        self.stops = connection.execute('SELECT title, "order", trip FROM Stop ORDER BY _pk').fetchall()
        connection.close()
        count = len(self.trips)
        self.lookups = [(index * 611_953 + 7) % count + 1 for index in range(count)]


def settings(connection, durable):
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    connection.execute("PRAGMA secure_delete = OFF")


class Mapper:
    """What all mappers share: the tasks by name."""

    def __init__(self, data):
        self.data = data

    def prepare(self, task):
        work = getattr(self, "do_" + task, None)
        if work is None:
            raise Unsupported("the mapper has nothing like it")
        begin = getattr(self, "before_" + task, None)
        if begin is not None:
            begin()
        return work


class SQLAlchemy(Mapper):
    def __init__(self, data, path, indexed, durable):
        super().__init__(data)
        from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, String, create_engine
        from sqlalchemy import event
        from sqlalchemy.orm import Session, declarative_base, relationship

        base = declarative_base()

        def columns():
            return {
                "id": Column("_pk", Integer, primary_key=True),
                "name": Column(String, nullable=False),
                "destination": Column(String, nullable=False),
                "startDate": Column(Float, nullable=False),
                "endDate": Column(Float, nullable=False),
                "budget": Column(Float, nullable=False),
                "isFavorite": Column(Boolean, nullable=False),
                "rating": Column(Integer),
                "notes": Column(String),
                "uuid": Column(LargeBinary, nullable=False),
            }

        if indexed:
            attributes = columns()
            attributes["__tablename__"] = "IndexedTrip"
            attributes["__table_args__"] = (
                Index("trip_by_destination", "destination", "startDate"),
                Index("trip_by_name", "name"),
            )
            self.Trip = type("IndexedTrip", (base,), attributes)
        else:
            attributes = columns()
            attributes["__tablename__"] = "Trip"
            attributes["stops"] = relationship("Stop", back_populates="trip", cascade="all, delete")
            self.Trip = type("Trip", (base,), attributes)
            self.Stop = type(
                "Stop",
                (base,),
                {
                    "__tablename__": "Stop",
                    "id": Column("_pk", Integer, primary_key=True),
                    "title": Column(String, nullable=False),
                    "order": Column(Integer, nullable=False),
                    "trip_id": Column("trip", ForeignKey("Trip._pk"), index=True),
                    "trip": relationship("Trip", back_populates="stops"),
                },
            )
        self.engine = create_engine(f"sqlite:///{path}")
        event.listen(self.engine, "connect", lambda connection, record: settings(connection, durable))
        self.Session = Session
        base.metadata.create_all(self.engine)

    def close(self):
        self.engine.dispose()

    def fill(self, dataset):
        if dataset == "trips":
            self.do_insert()
        elif dataset == "graph":
            self.do_insertGraph()

    def totals(self):
        from sqlalchemy import func, select

        with self.Session(self.engine) as session:
            trips, budget = session.execute(select(func.count(), func.total(self.Trip.budget)).select_from(self.Trip)).one()
            stops = session.scalar(select(func.count()).select_from(self.Stop)) if hasattr(self, "Stop") else 0
        return {"trips": trips, "stops": stops, "budget": budget}

    def do_insert(self):
        with self.Session(self.engine) as session:
            session.add_all([self.Trip(**seed) for seed in self.data.trips])
            session.commit()
        return Tally(len(self.data.trips))

    def do_insertGraph(self):
        data, rows = self.data, 0
        with self.Session(self.engine) as session:
            stops = iter(data.stops)
            for seed in data.trips[: data.graphTrips]:
                trip = self.Trip(**seed)
                for _ in range(10):
                    title, order, _trip = next(stops)
                    trip.stops.append(self.Stop(title=title, order=order))
                    rows += 1
                session.add(trip)
            session.commit()
        return Tally(data.graphTrips + rows)

    def do_fetchAll(self):
        from sqlalchemy import select

        tally = Tally()
        with self.Session(self.engine) as session:
            for trip in session.scalars(select(self.Trip)).all():
                tally.trip(trip)
        return tally

    def do_fetchByIdentifier(self):
        tally = Tally()
        with self.Session(self.engine) as session:
            for key in self.data.lookups:
                tally.trip(session.get(self.Trip, key))
        return tally

    def tally(self, query):
        tally = Tally()
        with self.Session(self.engine) as session:
            for trip in session.scalars(query).all():
                tally.trip(trip)
        return tally

    def do_fetchPage(self):
        from sqlalchemy import select

        data, Trip = self.data, self.Trip
        query = select(Trip).where(Trip.destination == data.city, Trip.budget < data.budgetLimit)
        return self.tally(query.order_by(Trip.startDate).limit(data.pageLimit).offset(data.pageOffset))

    def range_query(self):
        from sqlalchemy import select

        data, Trip = self.data, self.Trip
        return (
            select(Trip)
            .where(Trip.destination == data.city, Trip.startDate >= data.rangeStart, Trip.startDate < data.rangeEnd)
            .order_by(Trip.startDate)
        )

    def do_fetchRange(self):
        return self.tally(self.range_query())

    def do_count(self):
        from sqlalchemy import func, select

        data, Trip = self.data, self.Trip
        query = select(func.count()).select_from(Trip)
        query = query.where(Trip.destination == data.city, Trip.startDate >= data.earliestStart)
        with self.Session(self.engine) as session:
            return Tally(session.scalar(query))

    def do_groups(self):
        from sqlalchemy import func, select

        tally = Tally()
        query = select(self.Trip.destination, func.count(), func.sum(self.Trip.budget)).group_by(self.Trip.destination)
        with self.Session(self.engine) as session:
            for row in session.execute(query):
                tally.group(*row)
        return tally

    def before_update(self):
        from sqlalchemy import select

        self.session = self.Session(self.engine)
        self.held = self.session.scalars(select(self.Trip).order_by(self.Trip.id).limit(self.data.changeCount)).all()

    before_delete = before_update

    def do_update(self):
        for trip in self.held:
            trip.budget += 1
        self.session.commit()
        return Tally(len(self.held))

    def do_delete(self):
        for trip in self.held:
            self.session.delete(trip)
        self.session.commit()
        return Tally(len(self.held))

    def do_fetchGraph(self):
        from sqlalchemy import select
        from sqlalchemy.orm import selectinload

        return self.graph(select(self.Trip).options(selectinload(self.Trip.stops)))

    def do_traverse(self):
        from sqlalchemy import select

        return self.graph(select(self.Trip))

    def graph(self, query):
        tally = Tally()
        with self.Session(self.engine) as session:
            for trip in session.scalars(query).all():
                tally.text += len(trip.name.encode())
                for stop in trip.stops:
                    tally.stop(stop)
        return tally

    def do_smallSaves(self):
        data = self.data
        with self.Session(self.engine) as session:
            for index in range(data.smallSaves):
                session.add(self.Trip(**data.trips[index % len(data.trips)]))
                session.commit()
        return Tally(data.smallSaves)

    def do_batchDelete(self):
        from sqlalchemy import delete

        with self.Session(self.engine) as session:
            session.execute(delete(self.Trip).where(self.Trip.isFavorite == True))  # noqa: E712
            session.commit()
        return Tally()

    def do_refreshResults(self):
        data, tally = self.data, Tally()
        if data.moving < 0:
            raise Unsupported("no trip starts in the range")
        inside = data.trips[data.moving]["startDate"]
        with self.Session(self.engine) as writer, self.Session(self.engine) as reader:
            moving = writer.get(self.Trip, data.moving + 1)
            for index in range(data.refreshes):
                moving.startDate = data.outsideStart if index % 2 == 0 else inside
                writer.commit()
                reader.rollback()
                for trip in reader.scalars(self.range_query()).all():
                    tally.trip(trip)
        return tally


class Peewee(Mapper):
    def __init__(self, data, path, indexed, durable):
        super().__init__(data)
        import peewee

        self.peewee = peewee
        self.database = peewee.SqliteDatabase(
            path,
            pragmas={"journal_mode": "wal", "synchronous": "full" if durable else "normal", "secure_delete": 0},
        )
        database = self.database

        class Base(peewee.Model):
            class Meta:
                pass

        Base._meta.database = database

        def columns():
            return {
                "id": peewee.AutoField(column_name="_pk"),
                "name": peewee.TextField(),
                "destination": peewee.TextField(),
                "startDate": peewee.DoubleField(),
                "endDate": peewee.DoubleField(),
                "budget": peewee.DoubleField(),
                "isFavorite": peewee.BooleanField(),
                "rating": peewee.IntegerField(null=True),
                "notes": peewee.TextField(null=True),
                "uuid": peewee.BlobField(),
            }

        def model(name, attributes, indexes=()):
            meta = type("Meta", (), {"database": database, "table_name": name, "indexes": indexes})
            return type(name, (peewee.Model,), {**attributes, "Meta": meta})

        if indexed:
            indexes = ((("destination", "startDate"), False), (("name",), False))
            self.Trip = model("IndexedTrip", columns(), indexes)
            database.create_tables([self.Trip])
        else:
            self.Trip = model("Trip", columns())
            self.Stop = model(
                "Stop",
                {
                    "id": peewee.AutoField(column_name="_pk"),
                    "title": peewee.TextField(),
                    "order": peewee.IntegerField(),
                    "trip": peewee.ForeignKeyField(self.Trip, backref="stops", column_name="trip", null=True),
                },
            )
            database.create_tables([self.Trip, self.Stop])

    def close(self):
        self.database.close()

    fill = SQLAlchemy.fill

    def totals(self):
        function = self.peewee.fn
        trips, budget = self.Trip.select(function.COUNT(self.Trip.id), function.TOTAL(self.Trip.budget)).tuples().get()
        return {"trips": trips, "stops": self.Stop.select().count() if hasattr(self, "Stop") else 0, "budget": budget}

    def do_insert(self):
        with self.database.atomic():
            for seed in self.data.trips:
                self.Trip.create(**seed)
        return Tally(len(self.data.trips))

    def do_insertGraph(self):
        data, rows = self.data, 0
        with self.database.atomic():
            stops = iter(data.stops)
            for seed in data.trips[: data.graphTrips]:
                trip = self.Trip.create(**seed)
                for _ in range(10):
                    title, order, _trip = next(stops)
                    self.Stop.create(title=title, order=order, trip=trip)
                    rows += 1
        return Tally(data.graphTrips + rows)

    def tally(self, query):
        tally = Tally()
        for trip in list(query):
            tally.trip(trip)
        return tally

    def do_fetchAll(self):
        return self.tally(self.Trip.select())

    def do_fetchByIdentifier(self):
        tally = Tally()
        for key in self.data.lookups:
            tally.trip(self.Trip.get_by_id(key))
        return tally

    def do_fetchPage(self):
        data, Trip = self.data, self.Trip
        query = Trip.select().where(Trip.destination == data.city, Trip.budget < data.budgetLimit)
        return self.tally(query.order_by(Trip.startDate).limit(data.pageLimit).offset(data.pageOffset))

    def do_fetchRange(self):
        data, Trip = self.data, self.Trip
        query = Trip.select().where(
            Trip.destination == data.city, Trip.startDate >= data.rangeStart, Trip.startDate < data.rangeEnd
        )
        return self.tally(query.order_by(Trip.startDate))

    def do_count(self):
        data, Trip = self.data, self.Trip
        return Tally(Trip.select().where(Trip.destination == data.city, Trip.startDate >= data.earliestStart).count())

    def do_groups(self):
        function, Trip, tally = self.peewee.fn, self.Trip, Tally()
        query = Trip.select(Trip.destination, function.COUNT(Trip.id), function.SUM(Trip.budget))
        for row in query.group_by(Trip.destination).tuples():
            tally.group(*row)
        return tally

    def before_update(self):
        self.held = list(self.Trip.select().order_by(self.Trip.id).limit(self.data.changeCount))

    before_delete = before_update

    def do_update(self):
        with self.database.atomic():
            for trip in self.held:
                trip.budget += 1
                trip.save(only=["budget"])
        return Tally(len(self.held))

    def do_delete(self):
        with self.database.atomic():
            for trip in self.held:
                trip.delete_instance(recursive=True)
        return Tally(len(self.held))

    def do_fetchGraph(self):
        return self.graph(self.peewee.prefetch(self.Trip.select(), self.Stop.select()))

    def do_traverse(self):
        return self.graph(self.Trip.select())

    def graph(self, trips):
        tally = Tally()
        for trip in list(trips):
            tally.text += len(trip.name.encode())
            for stop in trip.stops:
                tally.stop(stop)
        return tally

    def do_smallSaves(self):
        data = self.data
        for index in range(data.smallSaves):
            self.Trip.create(**data.trips[index % len(data.trips)])
        return Tally(data.smallSaves)

    def do_batchDelete(self):
        self.Trip.delete().where(self.Trip.isFavorite == True).execute()  # noqa: E712
        return Tally()

    def do_refreshResults(self):
        data, tally = self.data, Tally()
        if data.moving < 0:
            raise Unsupported("no trip starts in the range")
        inside = data.trips[data.moving]["startDate"]
        moving = self.Trip.get_by_id(data.moving + 1)
        for index in range(data.refreshes):
            moving.startDate = data.outsideStart if index % 2 == 0 else inside
            moving.save(only=["startDate"])
            found = self.do_fetchRange()
            tally.rows, tally.text = tally.rows + found.rows, tally.text + found.text
            tally.number += found.number
        return tally


MAPPERS = {"sqlalchemy": SQLAlchemy, "peewee": Peewee}


class Server:
    def __init__(self, name):
        self.make = MAPPERS[name]
        self.data = self.mapper = self.work = self.opening = None

    def answer(self, command):
        do = command["do"]
        if do == "data":
            self.data = Data(command)
        elif do == "open":
            self.close()
            self.opening = (command["path"], command["indexed"], command["durable"])
        elif do == "fill":
            self.opened().fill(command["dataset"])
        elif do == "prepare":
            if command["task"] == "open":
                self.work = self.open_and_fetch_one
            else:
                self.work = self.opened().prepare(command["task"])
        elif do == "run":
            start = time.process_time()
            tally = self.work()
            seconds = time.process_time() - start
            return {"rows": tally.rows, "text": tally.text, "number": tally.number, "seconds": seconds}
        elif do == "totals":
            return self.opened().totals()
        elif do == "close":
            self.close()
        return {}

    def opened(self):
        if self.mapper is None:
            self.mapper = self.make(self.data, *self.opening)
        return self.mapper

    def open_and_fetch_one(self):
        mapper = self.make(self.data, *self.opening)
        if isinstance(mapper, SQLAlchemy):
            from sqlalchemy import select

            with mapper.Session(mapper.engine) as session:
                rows = len(session.scalars(select(mapper.Trip).limit(1)).all())
        else:
            rows = len(list(mapper.Trip.select().limit(1)))
        mapper.close()
        return Tally(rows)

    def close(self):
        session = getattr(self.mapper, "session", None)
        if session is not None:
            session.close()
        if self.mapper is not None:
            self.mapper.close()
        self.mapper = self.work = None


def main():
    # Whatever a library prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    server = Server(sys.argv[1])
    for line in sys.stdin:
        try:
            answer = server.answer(json.loads(line))
        except Unsupported as reason:
            answer = {"unsupported": str(reason)}
        except Exception as error:  # The runner says what failed.
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
