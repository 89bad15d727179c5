/** Threads and schedules whose labels are kept; of more, the first ones count as unknown. */
export const MAX_LABELLED = 1_000;

/** Texts that the label of a thread names; of more, the rest count as unknown. */
export const MAX_TEXTS_OF_THREAD = 50;

/** Characters of the name of a text. */
export const MAX_TEXT_NAME_CHARS = 300;

/** Texts that a question names; of more, their number. */
export const MOST_TEXTS_NAMED = 3;

/** Files of workspaces that are noted as made elsewhere; of more, folders stand in their place. */
export const MAX_MADE_ELSEWHERE = 2_000;

/** Name of the file of the home that names them. */
export const MADE_ELSEWHERE_FILE = 'made-elsewhere.json';
