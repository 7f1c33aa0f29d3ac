@_exported import CofferCore
@_exported import CofferInMemory
@_exported import CofferSQLite
