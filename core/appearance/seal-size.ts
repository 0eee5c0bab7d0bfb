// The size of a seal as it is drawn: three inches by one. Placement may scale it down where room is short.

/** Points. */
export const SEAL_WIDTH = 216
export const SEAL_HEIGHT = 72
