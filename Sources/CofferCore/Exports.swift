// What the macros write names Observation, so whoever imports the core has it.
@_exported import Observation
