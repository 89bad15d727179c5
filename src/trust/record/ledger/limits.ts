/** How long a place outside of the home may take to keep or give anchors. */
export const ANCHOR_TIMEOUT_MS = 10_000;

/** Of the anchors that are read from such a place. */
export const KEPT_ANCHOR_BYTES = 50_000_000;
