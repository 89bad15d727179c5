/** Limits of manifests. */
export const MAX_MANIFEST_BYTES = 262_144;
export const MAX_ALIASES = 20;
