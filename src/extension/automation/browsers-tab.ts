/** The tab *Browsers*: those that are paired with `prowess web`, and the code that pairs one more. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { escapeToLine } from '../../base/text/one-line.ts';
import { waitOrAborted, withTimeLimit } from '../../base/time/bounded-wait.ts';
import { encodePairingCode, PAIRING_MINUTES, toPairingAddresses } from '../../host/doors/web/pairing-code.ts';
import { findServed } from '../../host/doors/web/served-addresses.ts';
import { revokeBrowser, type WebDevice, WebDevices } from '../../host/doors/web/web-devices.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ClientRight } from '../../protocol/approvals/access.ts';
import type { PageBlock, PageRow } from '../../protocol/pages/capability-page.ts';
import { codeFact, type OfferedAction } from '../capabilities/pages/built-page.ts';
import { extensionLimits } from '../editor/limits.ts';
import { confirmLoss } from '../notices/notices.ts';
import { formatScheduleTime } from './add-schedule.ts';
import { showGuide } from './background-state.ts';
import { type BuiltAutomationTab, OfferedActs } from './built-tab.ts';

/** A code is known to the page that it was created for, and to nobody else: the home has its hash. */
export interface ShownCode {
	code?: string;
}

interface BrowserSources {
	readonly home: string;
	readonly extensionUri: vscode.Uri;
	readonly pairing: ShownCode;
}

/** Browsers of this home as they are now. */
interface PairedBrowsers {
	/** Addresses of each `prowess web` that runs. */
	readonly urls: readonly string[];
	/** Rights that they leave to no browser. */
	readonly denied: readonly ClientRight[];
	/** Absent: none is shown, or a device was paired with it, or its time is over. */
	readonly code: string | undefined;
	readonly devices: readonly WebDevice[];
}

export async function browsersTab(
	{ home, extensionUri, pairing }: BrowserSources,
	base: Pick<TrustedBase, 'recordAct'>,
): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const kept = new WebDevices(home);
	const readBrowsers = async (): Promise<PairedBrowsers> => ({
		...(await findServed(home)),
		code: pairing.code !== undefined && kept.isOpen(pairing.code) ? pairing.code : undefined,
		devices: kept.list(),
	});
	const now = await readBrowsers();
	const { urls, denied, code, devices } = now;
	const { addresses, far } = toPairingAddresses(urls, code ?? '');
	const isServed = urls.length > 0;
	const pair: OfferedAction = {
		action: 'pairBrowser',
		label: t('Pair a Browser…'),
		act: async () => {
			const rights = await pickRights();
			if (rights === undefined) return;
			pairing.code = await changeBrowsers('creating a pairing code', (signal) => kept.createCode(rights, signal));
			await showTabAgain();
		},
	};
	const [first] = addresses;
	return {
		summary: t('Browsers that reach the chat through "prowess web", such as that of your phone.'),
		blocks: [
			...(isServed
				? []
				: [
						{
							kind: 'note',
							text: t('No "prowess web" runs, so no browser can be paired. Run it in a terminal to serve the chat.'),
						} as const,
					]),
			...(isServed && code !== undefined ? codeBlocks(code, addresses, far) : []),
			{
				kind: 'rows',
				groups: [{ title: '', rows: devices.map((device) => browserRow(device, denied, kept, base, offered)) }],
				none: t('No browser is paired.'),
			},
		],
		actions: [
			...(isServed ? [pair] : []),
			...(isServed && code !== undefined && far === undefined && first !== undefined
				? [
						{
							action: 'open' as const,
							label: t('Open in a Browser'),
							act: async () => vscode.env.openExternal(vscode.Uri.parse(first)),
						},
					]
				: []),
			{ action: 'showBackground', label: t('The Chat in a Browser…'), act: () => showGuide(extensionUri, 'web.md') },
		],
		rowActions: offered.all,
		changed: async (signal) => {
			do {
				await waitOrAborted(extensionLimits.homeLookMs, signal);
			} while (isDeepStrictEqual(await readBrowsers(), now));
		},
	};
}

function codeBlocks(code: string, addresses: readonly string[], far: string | undefined): readonly PageBlock[] {
	const { t } = vscode.l10n;
	const picture = far === undefined ? [] : encodePairingCode(far);
	return [
		{
			kind: 'note',
			text: t('Open the address in the browser that you want to pair, within {0} minutes.', PAIRING_MINUTES),
		},
		{
			kind: 'facts',
			rows: [...addresses.map((address) => codeFact(t('Address'), address)), codeFact(t('Pairing code'), code)],
		},
		...(picture.length === 0
			? []
			: [
					{
						kind: 'qr',
						label: t('QR code of the address, for the camera of a phone'),
						rows: picture.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join('')),
					} as const,
				]),
	];
}

function browserRow(
	device: WebDevice,
	denied: readonly ClientRight[],
	kept: WebDevices,
	base: Pick<TrustedBase, 'recordAct'>,
	offered: OfferedActs,
): PageRow {
	const { t } = vscode.l10n;
	const { id, rights, pairedAt, seenAt } = device;
	const left = rights.filter((right) => !denied.includes(right));
	const name = escapeToLine(device.name);
	const revoke = async () => {
		if (!(await confirmLoss(t('Revoke this browser?'), [t('Its pages are closed at once.')], t('Revoke')))) return;
		await changeBrowsers('revoking a browser', (signal) =>
			revokeBrowser(kept, device, (act, work) => base.recordAct(act, work), signal),
		);
		await showTabAgain();
	};
	return {
		id,
		icon: 'device-mobile',
		what: name,
		state: describeRights(left),
		isBad: false,
		notes: [
			...(left.length < rights.length ? [t('limited by {0}', 'prowess.access.deny')] : []),
			t('paired {0}', formatScheduleTime(pairedAt)),
			t('last here {0}', formatScheduleTime(seenAt)),
		],
		actions: [offered.offer('revoke', t('Revoke…'), id, revoke)],
	};
}

function describeRights(rights: readonly ClientRight[]): string {
	const { t } = vscode.l10n;
	if (rights.length === 0) return t('Is not let in');
	if (rights.includes('prompt')) {
		return rights.includes('answer') ? t('Reads, answers and sends messages') : t('Reads and sends messages');
	}
	return rights.includes('answer') ? t('Reads and answers') : t('Only reads');
}

/** Undefined: the user chose none. */
async function pickRights(): Promise<readonly ClientRight[] | undefined> {
	const choices: readonly (readonly ClientRight[])[] = [['look', 'answer', 'prompt'], ['look', 'answer'], ['look']];
	const items = choices.map((rights) => ({ label: describeRights(rights), rights }));
	const title = vscode.l10n.t('What may the browser do?');
	return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.rights;
}

async function changeBrowsers<T>(what: string, change: (signal: AbortSignal) => Promise<T>): Promise<T> {
	return await withTimeLimit({ what, timeoutMs: extensionLimits.changeHomeMs }, change);
}

async function showTabAgain(): Promise<void> {
	await vscode.commands.executeCommand('prowess.showAutomation', 'browsers');
}
