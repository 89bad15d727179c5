/**
 * The server process. This file only prepares the process; what it loads after that is compiled from the cache.
 */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Without a listener this signal would open a debugger's port in a process that knows keys.
process.on('SIGUSR1', () => {});
// What this process creates is the user's own, its compiled code like its store.
process.umask(0o077);
enableCompileCache(join(process.env['PROWESS_HOME'] ?? join(homedir(), '.prowess'), 'cache', 'node'));

const { serve } = await import('./serve.ts');
serve();
