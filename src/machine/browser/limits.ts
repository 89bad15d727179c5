/** Limits of browsers. */

/** Until a browser stands, and until it has ended by itself. */
export const BROWSER_START_MS = 30_000;
export const BROWSER_END_MS = 5_000;
/** Wait for a browser that is stopped while it starts; then it ends unheard. */
export const BROWSER_STOP_MS = 1_000;
/** A browser that nobody has used for so long is ended: longer than a model thinks between two steps. */
export const BROWSER_IDLE_MS = 10 * 60_000;
/** Browsers of one host at once; each takes some 200 MB. */
export const MAX_BROWSERS = 4;
/** Pages of one browser at once; the oldest goes. */
export const MAX_BROWSER_PAGES = 5;
/** Until a page has begun to show. */
export const PAGE_LOAD_MS = 30_000;
/** Until an element can be acted on. */
export const PAGE_ACT_MS = 10_000;
/** Until a page answers what is asked about it; one that does not is stuck, and its browser is ended. */
export const PAGE_ANSWER_MS = 10_000;
/** A page is at rest once it has asked for nothing for so long, and is no longer waited for after so long. */
export const PAGE_QUIET_MS = 60;
export const PAGE_REST_MS = 3_000;
/** Longest wait for a text, and the time between two looks for it. */
export const TEXT_WAIT_MS = 20_000;
export const TEXT_LOOK_MS = 150;
/** Until a page has shown itself to the user who watches it; one that takes longer is asked again later. */
export const WATCHED_PAGE_MS = 3_000;
/** Most characters of a page that are looked through for secrets before its picture is taken; of a longer one, there is none. */
export const WATCHED_TEXT_CHARS = 2_000_000;
/** Most characters of a page that are told at once. */
export const TOLD_PAGE_CHARS = 30_000;
/** Messages, and requests that failed, of which the last are kept, and the most characters of each. */
export const PAGE_NOTES = 100;
export const NOTE_CHARS = 300;
/** Most characters of a message that are read: it is cut again after its secrets have left. */
export const READ_NOTE_CHARS = 10_000;
/** Connections of a browser at once; further ones are closed. */
export const BROWSER_CONNECTIONS = 256;
/** Hosts that were refused, of which the first are kept: a page can ask for any number. */
export const REFUSED_HOSTS = 1_000;
/** Size of a page, in pixels. */
export const PAGE_SIZE = { width: 1280, height: 800 };
