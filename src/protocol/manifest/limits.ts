/** Limits of manifests. */
export const MAX_MANIFEST_BYTES = 262_144;
export const MAX_ALIASES = 20;
/** Words, brackets and line ends of a manifest, as YAML counts them: a hundred inputs described at length have 4,000. */
export const MAX_TOKENS = 20_000;
/** Brackets in brackets. */
export const MAX_DEPTH = 64;
/** Problems of one file that are told. */
export const MAX_PROBLEMS = 50;
/** Of the text of a SKILL.md that stands in for a missing description. */
export const MAX_BORROWED_DESCRIPTION_CHARS = 1_024;
/** Of the licence and the compatibility in a SKILL.md. */
export const MAX_NOTE_CHARS = 500;
