/** Limits of the network of sandboxes, and the port of its proxy. */

/** Where the proxy listens in each namespace: nobody else is there when it begins. */
export const PROXY_PORT = 3128;

/** For the namespace, its listener and the trial command; each of them. */
export const NETWORK_START_MS = 10_000;
/** From the wish for a connection to a server in the sandbox until it stands, with the start of the program that opens it. */
export const INNER_SERVER_MS = 5_000;
/** Such connections that are being opened at once; for further ones there is no server. */
export const INNER_CONNECTIONS_OPENING = 64;
/** A network that no command has used for so long is ended: longer than a model thinks between two commands. */
export const NETWORK_IDLE_MS = 10 * 60_000;
/** Between asking what holds a namespace to end and ending it. */
export const HOLDER_END_MS = 1_000;
/** Connections of one thread at once; further ones are closed. */
export const CONNECTIONS_PER_NETWORK = 512;
/** Maximum size of the head that a client sends before the proxy knows the target, and the longest time for it. */
export const REQUEST_HEAD_BYTES = 32 * 1024;
export const REQUEST_HEAD_MS = 30_000;
/** A connection on which nothing came or went for so long is closed. */
export const CONNECTION_IDLE_MS = 15 * 60_000;
/** Hosts that one command may ask for; beyond that it is refused without a question. */
export const HOSTS_PER_COMMAND = 100;
