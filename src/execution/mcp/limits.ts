/** Largest file of servers that is read. */
export const CONFIGURATION_BYTES = 1_048_576;
/** Servers of all files and settings together. */
export const SERVERS = 100;
/** Largest file of the workspace that is compared, by its content, with what the user agreed to. */
export const LAUNCHED_FILE_BYTES = 4_194_304;

/** Longest time from the start of a server to its first answer; `npx` may download it. Paused while a person is asked. */
export const CONNECT_MS = 60_000;
/** Longest silence of a server on the newer handshake before the older one is tried. */
export const PROBE_MS = 10_000;
/** Time from telling a server the folders that it asked for to its first call. */
export const ROOTS_MS = 500;
/** Longest wait for the list of a server's tools. */
export const LIST_MS = 20_000;
/**
 * A call that the server carries out as a task: shortest and longest wait between two questions for its state, the wait
 * where the server names none, and how often a running task is reported as progress.
 */
export const SHORTEST_POLL_MS = 100;
export const LONGEST_POLL_MS = 30_000;
export const POLL_MS = 1_000;
export const TASK_SIGN_MS = 20_000;
/** Time for which the server is asked to keep a task, as long as a call may last. */
export const TASK_TTL_MS = 3_600_000;
/** Longest wait for a sign of life from a server that let a call time out. */
export const PING_MS = 5_000;
/** Longest wait for a server over HTTP to accept a message that wants no answer. */
export const ACCEPT_MS = 5_000;
/** Longest wait for a server of the older transport to say where it takes messages. */
export const ENDPOINT_MS = 10_000;
/**
 * A stream that broke off is asked for again: attempts that fail in a row, the shortest and longest wait before one, and
 * the wait before the first where the server names none. While nothing arrives, the shortest wait doubles, to a second.
 */
export const RESUMPTIONS = 3;
export const SHORTEST_RESUMPTION_MS = 100;
export const LONGEST_RESUMPTION_MS = 600_000;
export const RESUMPTION_MS = 1_000;
/** From the end of its input to the end of its processes. */
export const STOP_MS = 1_000;

/** Longest wait for the user to sign in on a page; for one request of a sign-in; largest answer to such a request. */
export const SIGN_IN_MS = 300_000;
export const SIGN_IN_REQUEST_MS = 20_000;
export const SIGN_IN_BYTES = 1_048_576;

/** Largest message of a server. */
export const MESSAGE_BYTES = 8_388_608;
/** Bytes of streams over HTTP, such as comments, that bring no message. */
export const QUIET_BYTES = 33_554_432;
/** Lines of its output that are no message, such as a banner, before it is ended. */
export const FOREIGN_LINES = 20;
/** Messages that answer nothing, in each window. */
export const UNASKED_MESSAGES = 1_000;
export const UNASKED_WINDOW_MS = 5_000;

/** Characters of a server's log that are kept, the last ones. */
export const LOG_CHARS = 65_536;
/** Characters that an error quotes of what a server said. */
export const SAID_CHARS = 1_000;

/** Waiting time after a failed start: doubled with each further one. */
export const FIRST_BACK_OFF_MS = 1_000;
export const LONGEST_BACK_OFF_MS = 60_000;

/** Fields of a form that a server wants filled in; more are declined. Characters of a question about one. */
export const FORM_FIELDS = 20;
export const QUESTION_CHARS = 600;
/** Characters of a field's default, which is shown whole; a longer one is left out. */
export const DEFAULT_CHARS = 200;

/**
 * Limits of one request of a server to a model: number of messages, characters of all messages, tokens of the answer.
 */
export const SAMPLED_MESSAGES = 100;
export const SAMPLED_CHARS = 50_000;
export const SAMPLED_TOKENS = 4_000;
/** Requests of one server to a model that wait for the one before, and that one. */
export const SAMPLINGS_WAITING = 5;

/** Pages, and entries, of one list of a server. */
export const LIST_PAGES = 50;
export const LISTED_ENTRIES = 2_000;
/** Names that a sentence on what is odd lists, and characters of each. */
export const NAMED_ODDITIES = 5;
export const ODD_NAME_CHARS = 60;
/** Characters of the longest input schema that is told. */
export const SCHEMA_CHARS = 100_000;
/** Tools of one server. */
export const MAX_SERVER_TOOLS = 500;
/** Characters of a tool's description: where schemas are shown too, and in a list without them. */
export const DESCRIPTION_CHARS = 2_000;
export const LISTED_DESCRIPTION_CHARS = 200;
/** Input schemas of one answer, together; descriptions and names of one answer, together. */
export const SCHEMAS_CHARS = 16_000;
export const LISTING_CHARS = 24_000;
/** Resources, and prompts, of one server; characters of an address; arguments of a prompt. */
export const OFFERS = 1_000;
export const URI_CHARS = 2_000;
export const PROMPT_ARGUMENTS = 10;
/** Text of one result. */
export const MCP_RESULT_CHARS = 200_000;

/** Characters that a question shows of the address of a page on which the user signs in. */
export const ASKED_ADDRESS_CHARS = 2_000;

/** Consents that are kept. */
export const CONSENTS = 500;
/** Characters that a question about changed tools shows of a description, or of an input schema. */
export const ASKED_DESCRIPTION_CHARS = 600;
