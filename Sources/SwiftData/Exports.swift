// The drop-in name: source written for Apple's framework imports this module and gets Coffer.
@_exported import Coffer
