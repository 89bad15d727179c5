/** Limits of the reader of PDFs. */

/** Maximum unpacked size of all streams of a file, and of a single one: a few bytes can expand to gigabytes. */
export const INFLATED_BYTES = 64 * 1_048_576;
export const STREAM_BYTES = 16 * 1_048_576;
/** Steps of the reader, each a value or an operator, and how long all of them may take. */
export const MAX_PDF_STEPS = 20_000_000;
export const READ_MS = 8_000;
/** After so long others have their turn, and a page that keeps them from it for longer is not read to its end. */
export const PDF_SLICE_MS = 30;
export const LONGEST_SLICE_MS = 1_000;
export const MAX_OBJECTS = 200_000;
export const MAX_PAGES = 5_000;
/** Maximum nesting of values and of the tree of pages; below, of forms, and the number of filters of a stream. */
export const MAX_PDF_DEPTH = 64;
export const MAX_FORMS = 12;
export const MAX_FILTERS = 8;
/** Bytes of one string. */
export const MAX_STRING = 65_536;
/** Maximum length of the text. */
export const MAX_TEXT_CHARS = 8 * 1_048_576;
/** Characters that one range of a table may name. */
export const MAX_RANGE = 65_536;
