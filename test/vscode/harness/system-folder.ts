/**
 * A machine on which administrators have put the rules of an organisation: the server finds a folder of the run in place of
 * `/etc/prowess`, which no variable of the environment can move. The machine itself stays as it is.
 */

import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kit } from './kit.ts';

/** Writes a program in `folder` that is Node on such a machine. */
export function nodeUnderRules(folder: string, rules: object): string {
	const system = join(folder, 'etc-prowess');
	mkdirSync(system, { mode: 0o755 });
	writeFileSync(join(system, 'organisation.json'), JSON.stringify(rules), { mode: 0o644 });
	const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '';
	const others = readdirSync('/etc').filter((name) => name !== 'prowess');
	const mounts = [
		...['--dev-bind', '/', '/', '--tmpfs', '/etc'],
		...others.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
		...['--ro-bind', system, '/etc/prowess'],
		// The user of the run is the administrator there.
		...['--unshare-user', '--uid', '0', '--gid', '0', '--die-with-parent'],
	];
	const program = join(folder, 'node-under-rules');
	const words = [bubblewrap, ...mounts, '--', kit.node].map((word) => `'${word}'`);
	writeFileSync(program, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
	chmodSync(program, 0o755);
	return program;
}
