// The words of the model are part of this library's face: a user who imports the library alone
// must be able to name a priority or an ending.
@_exported public import PoolModel
