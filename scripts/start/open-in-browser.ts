import { spawn } from 'node:child_process';
import { firstOnPath } from '../setup/programs.mjs';

/** Opens the address where there is a desktop to open it on; it is printed anyway. */
export function openInBrowser(url: string): void {
	const opener = openerOfThisSystem();
	if (opener === undefined) return;
	const [command = '', ...args] = opener;
	const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
	child.on('error', () => console.log('No browser could be opened; open the address above.'));
	child.unref();
}

function openerOfThisSystem(): string[] | undefined {
	if (process.platform === 'darwin') return ['open'];
	if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
	const hasDisplay = (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== '';
	const xdgOpen = hasDisplay ? firstOnPath(['xdg-open']) : undefined;
	return xdgOpen === undefined ? undefined : [xdgOpen];
}
