/** Limits of manifests. */
export const MAX_MANIFEST_BYTES = 262_144;
export const MAX_ALIASES = 20;
/** Problems of one file that are told. */
export const MAX_PROBLEMS = 50;
/** Of the text of a SKILL.md that stands in for a missing description. */
export const MAX_BORROWED_DESCRIPTION_CHARS = 1_024;
