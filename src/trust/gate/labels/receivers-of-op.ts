/**
 * Where an op sends something that its caller chose: what leaves this machine, by op. An op that is not named
 * leaves nothing, or only where a setting of the user says: models, and the service that searches the web.
 */
import type { Receiver } from '../../../contract/labels.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { onlyLooks } from '../../../protocol/ops/act-kind.ts';
import type { CommandTarget } from '../policy/commands/command-question.ts';
import { maySend } from './connecting-commands.ts';

interface SendingOp {
	readonly op: string;
	readonly params?: unknown;
	readonly targets: readonly OpTarget[];
	readonly caller?: Caller;
}
type SentFields = Readonly<Record<string, unknown>>;

/** Returns nothing for an op by which nothing leaves. */
export function receiversOfOp({ op, params, targets, caller }: SendingOp): readonly Receiver[] {
	const given = (params ?? {}) as SentFields;
	switch (op) {
		case 'shell.run':
			return receiversOfCommands(targets);
		case 'net.connect':
			return listHostReceivers(op, targets);
		case 'schedule.add':
			return listHostReceivers(op, targets);
		case 'http.get':
			return asPlain(isPlainAddress(given['url']), listHostReceivers(op, targets));
		case 'browser.open':
			return asPlain(isPlainAddress(given['url']), listHostReceivers(op, targets));
		case 'browser.act':
			// A page sends what is typed into it, and may send which of its elements was clicked.
			return asPlain(given['text'] === undefined && given['secret'] === undefined, listHostReceivers(op, targets));
		case 'http.request':
			return asPlain(isPlainRequest(given), listHostReceivers(op, targets));
		case 'mcp.call':
			return sendsByTool(given) ? listToolReceivers(op, targets) : [];
		case 'mcp.read':
			// Tells a server nothing where it asks for what that has listed.
			return listToolReceivers(
				op,
				targets.filter((target) => target.kind === 'mcp' && target.isKnown !== true),
			);
		case 'mcp.prompt':
			// Takes what a person's message names for theirs; a capability fills in the arguments by itself.
			return caller?.kind === 'execution' ? listToolReceivers(op, targets) : [];
		default:
			return [];
	}
}

/** A host counts for all its commands; without a sandbox each command that may send counts by its words. */
function receiversOfCommands(targets: readonly OpTarget[]): readonly Receiver[] {
	const commands = targets.filter((target): target is CommandTarget => target.kind === 'command');
	const [only] = commands;
	const alone = commands.length === 1 && only !== undefined ? [{ op: 'shell.run', target: only }] : [];
	const hosts = listHostReceivers('net.connect', targets).map((host) => ({
		...host,
		targets: [...host.targets, ...alone],
	}));
	const open = commands.filter(maySend);
	return [...hosts, ...open.map((target) => ({ name: target.argv.join(' '), targets: [{ op: 'shell.run', target }] }))];
}

function listHostReceivers(op: string, targets: readonly OpTarget[]): readonly Receiver[] {
	return targets.flatMap((target) =>
		target.kind === 'host' && target.isHere !== true ? [{ name: target.host, targets: [{ op, target }] }] : [],
	);
}

function listToolReceivers(op: string, targets: readonly OpTarget[]): readonly Receiver[] {
	return targets.flatMap((target) =>
		target.kind === 'mcp' ? [{ name: `${target.server}/${target.tool}`, targets: [{ op, target }] }] : [],
	);
}

/**
 * An address as programs take it, however it is written: `https:host` and `https:\\host` name one, and so does a host with a path or
 * a port. A path of the workspace such as `src/a.ts` names none.
 */
const WRITTEN_ADDRESS = new RegExp(
	[
		String.raw`:\/\/|\bwww\.|^\s*[\\/]{2}`,
		String.raw`\b(?:https?|wss?|ftps?|sftp|ssh|mailto|gopher|ldaps?):(?=\S)`,
		String.raw`^\s*(?:[\w-]+\.)+[a-z][a-z\d-]+\.?(?::\d+|[/?#])`,
		String.raw`^\s*\d{1,3}(?:\.\d{1,3}){3}(?::\d+|[/?#]|$)`,
		String.raw`^\s*\[[\da-f:.]+\]`,
	].join('|'),
	'i',
);
/** Names of fields that say that they hold an address, where a host alone is one. */
const ADDRESS_FIELD =
	/(?:^|[_-])(?:ur[il]s?|hrefs?|links?|hosts?|hostnames?|domains?|endpoints?|address(?:es)?|servers?|sites?|webhooks?)$/i;

/** A tool that only looks sends where it is given an address: `fetch` with one carries whatever is in it. */
function sendsByTool({ tool, arguments: given }: SentFields): boolean {
	return !onlyLooks(String(tool)) || holdsAddress(given, '');
}

function holdsAddress(value: unknown, field: string): boolean {
	if (typeof value === 'string') return WRITTEN_ADDRESS.test(value) || (value.includes('.') && isAddressField(field));
	if (Array.isArray(value)) return value.some((each) => holdsAddress(each, field));
	return Object.entries(Object(value)).some(([name, each]) => WRITTEN_ADDRESS.test(name) || holdsAddress(each, name));
}

/** In words with `_` between: `pageUrl` is one, too. */
function isAddressField(name: string): boolean {
	return ADDRESS_FIELD.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_'));
}

function asPlain(isPlain: boolean, receivers: readonly Receiver[]): readonly Receiver[] {
	return isPlain ? receivers.map((each) => ({ ...each, isPlain: true })) : receivers;
}

/** A request that only reads: with no more than an address. */
function isPlainRequest({ method, url, headers, body, auth }: SentFields): boolean {
	const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
	const hasHeaders = typeof headers === 'object' && headers !== null && Object.keys(headers).length > 0;
	return isRead && body === undefined && auth === undefined && !hasHeaders && isPlainAddress(url);
}

function isPlainAddress(url: unknown): boolean {
	const address = typeof url === 'string' ? URL.parse(url) : null;
	return address !== null && address.search === '' && address.username === '' && address.password === '';
}
