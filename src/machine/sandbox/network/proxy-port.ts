/** Where the proxy listens in each namespace: nobody else is there when it begins. */
export const PROXY_PORT = 3128;
