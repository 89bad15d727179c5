/** `prowess web`: the chat in a browser. All but the host is loaded for it alone. */
import type { Disposable } from '../../base/disposable.ts';
import type { describePairing } from '../../host/doors/web/web-door.ts';
import type { ClientRight } from '../../protocol/approvals/access.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { openHome } from '../home/home-folder.ts';
import { readPageFile, readPageStrings } from '../home/page-files.ts';
import { isTrusted, readTrustedFolders } from '../home/trusted-folders.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { formatJson, printRows } from '../invocation/print-result.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { ServedFolders } from './served-folders.ts';

const USUAL_PORT = 8_377;
const HIGHEST_PORT = 65_535;
const RIGHTS: readonly ClientRight[] = ['look', 'answer', 'prompt'];

export const serveWebCommand: CommandAction = async (invocation, context) => {
	const { terminal, environment, signal } = context;
	const [port, origins, rights] = [readWebPort(invocation), readOrigins(invocation), readRights(invocation)];
	const home = openHome(environment);
	const { workspace } = invocation.values;
	if (workspace === undefined && invocation.switches.has('trust')) {
		throw new UsageError('web: --trust needs --workspace DIR, the folder that you trust');
	}
	const only = workspace === undefined ? undefined : trustedWorkspace(invocation, context, 'web');
	const listFolders = () =>
		only === undefined
			? readTrustedFolders(home).filter(isExistingFolder)
			: [only].filter((each) => isExistingFolder(each) && isTrusted(home, each));
	if (listFolders().length === 0) {
		throw new UsageError('web: no folder is trusted. Trust one with "prowess web --workspace DIR --trust"');
	}
	const web = await import('../../host/doors/web/web-door.ts');
	const { warnings, ...encryption } = web.readEncryption(invocation.values, origins, (message) =>
		terminal.err(`${visibleLine(message)}\n`),
	);
	const { openWebDoor, WebDevices } = web;
	const devices = new WebDevices(home);
	const folders = new ServedFolders(invocation, context, listFolders);
	const logLine = (message: string) => {
		if (invocation.switches.has('verbose')) terminal.err(`[info] web: ${visibleLine(message)}\n`);
	};
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (own) => {
		const base = await own.trustedBase();
		const door = await openWebDoor({
			devices,
			port,
			...encryption,
			origins,
			file: readPageFile,
			strings: readPageStrings,
			folders: () => {
				own.clients.admit({ principal: 'web' }).dispose();
				return folders.list();
			},
			open: (id) => folders.open(id),
			recordAct: (act, work) => base.recordAct(act, work),
			log: (message) => logLine(base.redact(message)),
		});
		const urls = [...door.origins, ...origins];
		let served: Disposable | undefined;
		try {
			const denied = listDenied(own.settings.current['prowess.access.deny'].web);
			served = await web.noteServed(home, { urls, denied });
			const code = await devices.createCode(rights, signal);
			terminal.err(warnings);
			if (invocation.switches.has('json')) terminal.out(formatJson({ urls, code }));
			else printCode(terminal, web.describePairing(urls, code));
			await new Promise<void>((resolve) => {
				signal.addEventListener('abort', () => resolve(), { once: true });
				if (signal.aborted) resolve();
			});
		} finally {
			served?.dispose();
			door.close();
			await folders.close();
		}
		return exitCodes.stopped;
	});
};

export const createPairingCode: CommandAction = async (invocation, context) => {
	const rights = readRights(invocation);
	const web = await import('../../host/doors/web/web-door.ts');
	const home = openHome(context.environment);
	const { urls } = await web.findServed(home);
	if (urls.length === 0) {
		context.terminal.err('No "prowess web" runs, so no browser can be paired. Start it: it prints a code.\n');
		return exitCodes.failed;
	}
	const code = await new web.WebDevices(home).createCode(rights, context.signal);
	printCode(context.terminal, web.describePairing(urls, code));
	return exitCodes.done;
};

export const listDevices: CommandAction = async (invocation, context) => {
	const { findServed, WebDevices } = await import('../../host/doors/web/web-door.ts');
	const home = openHome(context.environment);
	const { denied } = await findServed(home);
	const devices = new WebDevices(home).list().map(({ name, rights, pairedAt, seenAt }) => ({
		name,
		rights: rights.filter((right) => !denied.includes(right)),
		denied: rights.filter((right) => denied.includes(right)),
		pairedAt: new Date(pairedAt).toISOString(),
		seenAt: new Date(seenAt).toISOString(),
	}));
	return printRows(invocation, context, devices, {
		format: ({ name, rights, denied: taken, pairedAt, seenAt }) => {
			const less = taken.length === 0 ? '' : ` (not ${taken.join(', ')}: prowess.access.deny)`;
			const may = `${rights.join(', ')}${less}`.trim();
			return `${visibleLine(name)}  ${may}  paired ${pairedAt.slice(0, 10)}, last here ${seenAt.slice(0, 10)}`;
		},
		none: 'No browser is paired. Start "prowess web" and open the address that it prints.\n',
	});
};

export const revokeDevice: CommandAction = async (invocation, context) => {
	const [name = ''] = invocation.operands;
	const { revokeBrowser, WebDevices } = await import('../../host/doors/web/web-door.ts');
	const devices = new WebDevices(openHome(context.environment));
	const device = devices.list().find((each) => each.name.toLowerCase() === name.toLowerCase());
	if (device === undefined) {
		context.terminal.err(`No device is named "${visibleLine(name)}". "prowess web devices" lists them.\n`);
		return exitCodes.failed;
	}
	await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const base = await host.trustedBase();
		await revokeBrowser(devices, device, (act, work) => base.recordAct(act, work), context.signal);
	});
	context.terminal.err(`Revoked: ${visibleLine(device.name)}. Its pages are closed.\n`);
	return exitCodes.done;
};

function printCode(terminal: CommandContext['terminal'], { words, picture }: ReturnType<typeof describePairing>): void {
	terminal.out(words);
	terminal.outBlocks(picture);
}

function readWebPort({ values }: Invocation): number {
	const given = values['port'] ?? String(USUAL_PORT);
	const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
	if (!(port <= HIGHEST_PORT))
		throw new UsageError(`web: --port takes a port from 0 to ${HIGHEST_PORT}; got "${given}"`);
	return port;
}

/** Returns the origins of tunnels, as browsers send them. */
function readOrigins({ lists }: Invocation): readonly string[] {
	return (lists['origin'] ?? []).map((given) => {
		const url = URL.canParse(given) ? new URL(given) : undefined;
		if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search !== '') {
			throw new UsageError(`web: --origin takes an address such as https://machine.example.ts.net; got "${given}"`);
		}
		return url.origin;
	});
}

/** Rights of a browser among those that the settings deny; without `look` it has none. */
function listDenied(denied: readonly string[] = []): readonly ClientRight[] {
	return denied.includes('look') ? RIGHTS : RIGHTS.filter((right) => denied.includes(right));
}

function readRights({ values }: Invocation): readonly ClientRight[] {
	const given = values['rights']?.split(',').map((each) => each.trim()) ?? RIGHTS;
	const rights = RIGHTS.filter((right) => given.includes(right));
	const unknown = given.find((each) => !RIGHTS.some((right) => right === each));
	if (unknown !== undefined || !rights.includes('look')) {
		const got = values['rights'] ?? '';
		throw new UsageError(`web: --rights takes look, and with it answer and prompt, joined by commas; got "${got}"`);
	}
	return rights;
}
