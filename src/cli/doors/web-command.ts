/** `prowess web`: the chat in a browser. All but the host is loaded for it alone. */
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
const CODE_MINUTES = 10;
const REACHED_BY_OTHERS =
	'Warning: other machines reach this address. Whoever pairs a browser can have commands run on this machine. Use it in a ' +
	'network that you trust, and never open the port to the internet.\n';
const RIGHTS: readonly ClientRight[] = ['look', 'answer', 'prompt'];

export const serveWebCommand: CommandAction = async (invocation, context) => {
	const { terminal, environment, signal } = context;
	const [port, origins, rights] = [readWebPort(invocation), readOrigins(invocation), readRights(invocation)];
	const { listen: address, cert, key } = readEncryption(invocation);
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
	const certificate = cert === undefined || key === undefined ? undefined : web.readCertificate(cert, key);
	const isForOthers = address !== undefined && !web.isLoopbackAddress(address);
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
			address,
			certificate,
			origins,
			file: readPageFile,
			strings: readPageStrings,
			folders: () => {
				own.clients.admit({ principal: 'web' }).dispose();
				return folders.list();
			},
			open: (id) => folders.open(id),
			recordPairing: (name, pair) =>
				base.recordAct({ op: 'web.pair', input: `Pair the browser ${name}`, params: { device: name } }, pair),
			log: (message) => logLine(base.redact(message)),
		});
		try {
			const code = await devices.createCode(rights, signal);
			const urls = [...door.origins, ...origins];
			await devices.keepUrls(urls, signal);
			if (isForOthers) terminal.err(REACHED_BY_OTHERS);
			if (certificate?.isKeyShown === true) {
				terminal.err(`Warning: other accounts of this machine can read ${key}. Make it yours alone: chmod 600.\n`);
			}
			if (invocation.switches.has('json')) terminal.out(formatJson({ urls, code }));
			else printCode(terminal, web, urls, code);
			await new Promise<void>((resolve) => {
				signal.addEventListener('abort', () => resolve(), { once: true });
				if (signal.aborted) resolve();
			});
		} finally {
			door.close();
			await folders.close();
		}
		return exitCodes.stopped;
	});
};

export const createPairingCode: CommandAction = async (invocation, context) => {
	const rights = readRights(invocation);
	const web = await import('../../host/doors/web/web-door.ts');
	const devices = new web.WebDevices(openHome(context.environment));
	const code = await devices.createCode(rights, context.signal);
	printCode(context.terminal, web, await devices.readUrls(), code);
	return exitCodes.done;
};

export const listDevices: CommandAction = async (invocation, context) => {
	const devices = (await openDevices(context)).list().map(({ name, rights, pairedAt, seenAt }) => ({
		name,
		rights,
		pairedAt: new Date(pairedAt).toISOString(),
		seenAt: new Date(seenAt).toISOString(),
	}));
	return printRows(invocation, context, devices, {
		format: ({ name, rights, pairedAt, seenAt }) =>
			`${visibleLine(name)}  ${rights.join(', ')}  paired ${pairedAt.slice(0, 10)}, last here ${seenAt.slice(0, 10)}`,
		none: 'No browser is paired. Start "prowess web" and open the address that it prints.\n',
	});
};

export const revokeDevice: CommandAction = async (invocation, context) => {
	const [name = ''] = invocation.operands;
	const devices = await openDevices(context);
	const device = devices.list().find((each) => each.name.toLowerCase() === name.toLowerCase());
	if (device === undefined) {
		context.terminal.err(`No device is named "${visibleLine(name)}". "prowess web devices" lists them.\n`);
		return exitCodes.failed;
	}
	await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const act = {
			op: 'web.revoke',
			input: `Revoke the browser ${device.name}`,
			params: { device: device.name },
		} as const;
		await (await host.trustedBase()).recordAct(act, () => devices.revoke(device.id, context.signal));
	});
	context.terminal.err(`Revoked: ${visibleLine(device.name)}. Its pages are closed.\n`);
	return exitCodes.done;
};

async function openDevices({ environment }: CommandContext) {
	const { WebDevices } = await import('../../host/doors/web/web-door.ts');
	return new WebDevices(openHome(environment));
}

/** With a picture for the first address that another device reaches. */
function printCode(
	terminal: CommandContext['terminal'],
	{ formatPairingCode, isLoopbackAddress }: typeof import('../../host/doors/web/web-door.ts'),
	urls: readonly string[],
	code: string,
): void {
	const addresses = urls.map((url) => `${url}/#${code}`);
	terminal.out(addresses.map((each) => `Open ${each}\n`).join(''));
	const far = addresses.find((each) => {
		const { hostname } = new URL(each);
		return hostname !== 'localhost' && !isLoopbackAddress(hostname.replaceAll(/[[\]]/g, ''));
	});
	if (far !== undefined) terminal.outBlocks(formatPairingCode(far));
	terminal.out(`Pairing code: ${code} (for one browser, within ${CODE_MINUTES} minutes)\n`);
}

/** Paths of certificate and key, and the address to listen on. */
function readEncryption({ values }: Invocation) {
	const { cert, key, listen } = values;
	if ((cert === undefined) !== (key === undefined)) {
		throw new UsageError('web: --cert and --key go together: the certificate and its key, in PEM');
	}
	return { cert, key, listen };
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
