/** Bounds of what a workspace tells agents. */

/** Characters of one file: what is longer is cut at its end, which is said. */
export const INSTRUCTION_FILE_CHARS = 32_768;
/** Characters of all files of one answer. */
export const INSTRUCTIONS_CHARS = 262_144;
/** Files of one answer. */
export const INSTRUCTION_FILES = 60;
/** Rules in one folder of rules that are looked at, and folders in one another. */
export const RULES_IN_FOLDER = 200;
export const RULE_FOLDER_DEPTH = 4;
/** Imports in one another, and those that one file names. */
export const IMPORT_DEPTH = 5;
export const IMPORTS_OF_FILE = 20;
/** Maximum length of a rule's front matter and, below, of its description. */
export const FRONT_MATTER_CHARS = 4_096;
export const RULE_DESCRIPTION_CHARS = 300;
export const RULE_GLOBS = 50;
