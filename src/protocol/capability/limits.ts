/** Limits of manifests. */
export const MAX_MANIFEST_BYTES = 262_144;
export const MAX_ALIASES = 20;
/** Words, brackets and line ends of a manifest, as YAML counts them: a hundred inputs described at length have 4,000. */
export const MAX_TOKENS = 20_000;
/** Brackets in brackets. */
export const MAX_MANIFEST_DEPTH = 64;
/** Limit for the name of a capability. */
export const MAX_NAME_CHARS = 64;
/** Problems of one file that are told. */
export const MAX_MANIFEST_PROBLEMS = 50;
/** Limit for the description in a SKILL.md by its specification, and the one by which it is cut here. */
export const MAX_STRICT_DESCRIPTION_CHARS = 1_024;
export const MAX_DESCRIPTION_CHARS = 1_536;
/** Tools that a capability may be allowed by name, and one of them. */
export const MAX_ALLOWED_TOOLS = 200;
export const MAX_ALLOWED_TOOL_CHARS = 1_000;
/** Limit for what is typed after the name of a skill. */
export const MAX_HINT_CHARS = 200;
/** Other capabilities that one may need. */
export const MAX_REQUIRED = 20;
export const MAX_REQUIRED_CHARS = 129;
/** Limit for the licence and the compatibility in a SKILL.md. */
export const MAX_NOTE_CHARS = 500;
/** Limits for the version, the author, a tag, the name of a note, and a note in a SKILL.md. */
export const MAX_VERSION_CHARS = 100;
export const MAX_AUTHOR_CHARS = 200;
export const MAX_TAGS = 100;
export const MAX_TAG_CHARS = 100;
export const MAX_NOTE_NAME_CHARS = 100;
export const MAX_METADATA_CHARS = 2_000;
