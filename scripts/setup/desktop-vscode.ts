/** The desktop VS Code for the specs that are asked for by name, and what they need to show it. */

import { join } from 'node:path';
import { firstOnPath } from './programs.mjs';
import { StepFailed } from './step-failed.mjs';

export interface DesktopVscode {
	/** The program itself, not its command-line script. */
	readonly program: string;
	/** Put before a command that opens windows. Empty where there is a display. */
	readonly display: readonly string[];
}

/**
 * Finds a display, then the VS Code that PROWESS_VSCODE names, else one to download.
 * @throws StepFailed where there is no display or nothing can be downloaded
 */
export async function ensureDesktopVscode(options: {
	readonly env: NodeJS.ProcessEnv;
	readonly platform: NodeJS.Platform;
	/** Returns the path of the program. */
	download(): Promise<string>;
}): Promise<DesktopVscode> {
	const { env, platform, download } = options;
	const display = displayOf(env, platform);
	const named = env['PROWESS_VSCODE'];
	if (named !== undefined) return { program: named, display };
	try {
		return { program: await download(), display };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new StepFailed(`no desktop VS Code could be downloaded: ${why}`, {
			advice: 'Install one and name its program (not its command-line script) in PROWESS_VSCODE.',
			cause: error,
		});
	}
}

function displayOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
	if (platform !== 'linux' || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined) return [];
	const virtual = firstOnPath(['xvfb-run']);
	if (virtual !== undefined) return [virtual, '--auto-servernum'];
	throw new StepFailed('a desktop VS Code needs a display, and there is none', {
		advice: 'Set DISPLAY, or install a virtual one (Debian: apt-get install xvfb).',
	});
}

/** Where a download is kept for the next run, below the other tools. */
export function downloadFolder(tools: string): string {
	return join(tools, 'desktop-vscode');
}
