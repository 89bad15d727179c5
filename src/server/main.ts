/** The server process. This file only prepares the process; what it loads after that runs with the code of earlier starts. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { keepCode, useKeptCode } from '../start/program.ts';

// Without a listener this signal would open a debugger's port in a process that knows keys.
process.on('SIGUSR1', () => {});
// Give access to files of this process to the user alone: the compiled code as well as the store.
process.umask(0o077);
useKeptCode(join(process.env['PROWESS_HOME'] ?? join(homedir(), '.prowess'), 'cache', 'code'), 'server');

const { serveHost } = await import('./serve.ts');
serveHost(keepCode);
