/** Limits of requests to other machines. */

export const MAX_HTTP_REDIRECTS = 5;
/** Most bytes of a response: as read from the network, and decompressed. */
export const RESPONSE_BYTES = 5 * 1024 * 1024;
/** Until a connection stands. */
export const HTTP_CONNECT_TIMEOUT_MS = 15_000;
/** Between two pieces of a response: one that trickles is ended by the op's own limit. */
export const IDLE_TIMEOUT_MS = 30_000;
export const RESPONSE_HEADER_BYTES = 32 * 1024;

/** Limits of the cookie jar of a single caller. */
export const COOKIES_PER_HOST = 50;
export const COOKIE_HOSTS = 100;
export const COOKIE_CHARS = 4096;
/** Open sessions of a single caller. */
export const HTTP_SESSIONS = 20;
/** Callers whose jars are kept at once; the one that was used longest ago goes. */
export const COOKIE_JARS = 200;
/** Depth to which the items of a list are indented, of a page as Markdown. */
export const LIST_DEPTH = 8;
/**
 * Maximum nesting of the elements of a page; deeper content is not converted to Markdown. The depth is checked after
 * every `PARSED_CHARS` characters.
 */
export const PAGE_DEPTH = 2_000;
export const PARSED_CHARS = 4_096;
