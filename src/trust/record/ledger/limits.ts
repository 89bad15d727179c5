/** Time limit of a place outside the home for keeping or giving anchors. */
export const ANCHOR_TIMEOUT_MS = 10_000;

/** Most bytes of anchors that are read from such a place. */
export const KEPT_ANCHOR_BYTES = 50_000_000;
