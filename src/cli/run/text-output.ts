/**
 * The answer as text on standard output; what the agent does, in one line each, on standard error when that is a terminal.
 * Notices, and what was refused only because nobody could be asked, are said there in any case: the answer may be silent
 * about it.
 */
import { assertNever } from '../../base/assert-never.ts';
import { findFailedOp } from '../../protocol/execution/execution.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { isOpenCall, type Notice, type ThreadItem, type ToolItem } from '../../protocol/thread/items.ts';
import { servedText } from '../../protocol/thread/served.ts';
import type { ThreadEvent, Usage } from '../../protocol/thread/thread.ts';
import { costText, pacedText } from '../../protocol/pages/usage-text.ts';
import { drawnInText } from '../../protocol/text/drawn-text.ts';
import type { DrawnResult } from '../../protocol/text/output-view.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { causeInEnglish, messageFor } from '../terminal/messages.ts';
import { followRunSteps } from '../terminal/run-step-line.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatLevelName } from '../terminal/level-text.ts';
import { escapeUnseen, quoteShellWord, visibleLine } from '../terminal/visible.ts';
import { howToBeAsked } from '../terminal/what-to-do.ts';
import type { TurnOutput } from './output.ts';

/** Lines of a result that stand below its call; what else there is, the agent tells. */
const MAX_DRAWN_LINES = 20;

function drawnLines(drawn: DrawnResult): string {
	const lines = drawnInText(drawn, escapeUnseen).split('\n');
	const more = lines.length > MAX_DRAWN_LINES ? [`… ${lines.length - MAX_DRAWN_LINES} more lines`] : [];
	return [...lines.slice(0, MAX_DRAWN_LINES), ...more].map((line) => `    ${line}`.trimEnd() + '\n').join('');
}

const PLANTED =
	'appeared while a command ran in the background, so it is not followed. Save it yourself if it is to be followed.';

const MISSING = 'is named in the instructions of the workspace, but does not exist.';

export function textOutput(terminal: Terminal): TurnOutput {
	const items = new Map<string, ThreadItem>();
	const reported = new Set<string>();
	/** An agent that tries the same again is refused again, which says nothing new. */
	const refusals = new Set<string>();
	/** Characters that end what was printed: a new text begins on a line of its own, after an empty one. */
	let tail = '';
	let printing: string | undefined;
	let usage: Usage | undefined;
	let threadId: ThreadId | undefined;
	let goalOffer: string | undefined;
	/** Waits that were reported: a turn that calls tools so fast would report one after the other. */
	const saidPaces = new Set<string>();

	const printText = (itemId: string, text: string) => {
		if (text === '') {
			return;
		}
		if (printing !== undefined && printing !== itemId) {
			terminal.out(tail.endsWith('\n\n') ? '' : tail.endsWith('\n') ? '\n' : '\n\n');
		}
		printing = itemId;
		tail = (tail + text).slice(-2);
		terminal.out(text);
	};
	const endLine = () => {
		if (printing !== undefined && !tail.endsWith('\n')) {
			tail = '\n';
			terminal.out('\n');
		}
	};
	/**
	 * True when a notice is printed. The error that failed a turn is printed at its end, with what to do on a command
	 * line; nothing is printed once nobody reads.
	 */
	const isSaid = ({ level, error }: Notice) => !terminal.isClosed && (level !== 'error' || error === undefined);
	const reportTool = (item: ToolItem) => {
		if (isOpenCall(item.status) || reported.has(item.id)) {
			return;
		}
		reported.add(item.id);
		const { error } = item;
		// No advice at a terminal: its user has said themselves that nobody is to be asked.
		const advice = terminal.isInteractive ? undefined : howToBeAsked((findFailedOp(error) ?? error)?.facts);
		const why = error === undefined ? '' : `: ${visibleLine(causeInEnglish(error))}`;
		reportLacks(item);
		const line = `${visibleLine(item.title)}${why}${advice === undefined ? '' : ` ${advice}`}\n`;
		if (terminal.showsStatus) {
			endLine();
			terminal.err(`  ${item.status === 'done' ? '' : `${item.status}: `}${line}`);
			if (item.drawn !== undefined) terminal.err(drawnLines(item.drawn));
		} else if (advice !== undefined && !refusals.has(line)) {
			refusals.add(line);
			terminal.err(`prowess: ${line}`);
		}
	};

	const newStepLine = followRunSteps();
	/** A quiet line for each step of a capability that is over, and for one that waits: for that, someone is needed. */
	const reportStep = (event: Extract<ThreadEvent, { type: 'item.step' }>) => {
		const line = terminal.showsStatus ? newStepLine(event) : undefined;
		if (line !== undefined) {
			endLine();
			terminal.err(line);
		}
	};

	const reportLacks = ({ lacks }: ToolItem) => {
		if (lacks === undefined) return;
		const what = lacks.path === '.' ? 'the workspace' : visibleLine(lacks.path);
		const command = `prowess mcp allow ${lacks.server} --write ${quoteShellWord(lacks.path)}`;
		const remedy =
			lacks.isOffered === false
				? 'Have it keep its files in another folder, by "env" or "args" of its entry.'
				: `To allow it: ${visibleLine(command)}`;
		const line = `prowess: The MCP server ${lacks.server} may not change ${what}. ${remedy}\n`;
		if (!refusals.has(line)) {
			refusals.add(line);
			endLine();
			terminal.err(line);
		}
	};

	const reportPace = ({ paced }: Pick<ToolItem, 'paced'>) => {
		if (paced === undefined) {
			return;
		}
		const why = inEnglish(pacedText(paced));
		// A poll waits longer each time.
		const wait = paced.limit === undefined ? `${why} ${paced.until}` : why;
		if (saidPaces.has(wait)) {
			return;
		}
		saidPaces.add(wait);
		endLine();
		const at = new Date(paced.until).toLocaleTimeString('en-GB');
		terminal.err(`prowess: ${why} It continues at ${at}.\n`);
	};

	return {
		begin(info) {
			threadId = info.id;
			if (terminal.showsStatus) {
				const { level: named, isUnattended = false } = info;
				const level =
					named === undefined ? '' : `  permission level: ${formatLevelName({ level: named, isUnattended })}`;
				terminal.err(`${info.id}${level}\n`);
			}
		},
		event(event: ThreadEvent) {
			switch (event.type) {
				case 'item.start':
					items.set(event.item.id, event.item);
					if (event.item.kind === 'text') {
						if (event.item.served !== undefined) {
							endLine();
							terminal.err(`prowess: ${visibleLine(inEnglish(servedText(event.item.served)))}\n`);
						}
						printText(event.item.id, event.item.text);
						if (event.item.silent === true && terminal.showsStatus) {
							terminal.err('prowess: The agent found that no reply is needed.\n');
						}
					} else if (event.item.kind === 'tool') {
						reportTool(event.item);
					} else if (event.item.kind === 'notice' && event.item.actions.includes('workAsGoal')) {
						goalOffer = event.item.text;
					} else if (event.item.kind === 'notice' && isSaid(event.item)) {
						endLine();
						terminal.err(`prowess: ${event.item.text}\n`);
					} else if (event.item.kind === 'instructions') {
						endLine();
						const planted = event.item.left.filter(({ reason }) => reason === 'planted');
						for (const { path } of planted) terminal.err(`prowess: ${visibleLine(path)} ${PLANTED}\n`);
						const missing = event.item.left.filter(({ reason }) => reason === 'missing');
						for (const { path } of missing) terminal.err(`prowess: ${visibleLine(path)} ${MISSING}\n`);
						const paths = terminal.showsStatus ? event.item.files.map(({ path }) => visibleLine(path)) : [];
						terminal.err(paths.length === 0 ? '' : `  Instructions: ${paths.join(', ')}\n`);
					} else if (event.item.kind === 'memories' && terminal.showsStatus) {
						endLine();
						terminal.err(event.item.memories.map(({ text }) => `  Remembered: ${visibleLine(text)}\n`).join(''));
					} else if (event.item.kind === 'compaction' && terminal.showsStatus) {
						endLine();
						terminal.err(`  ${event.item.messages} older messages were summarized for the model\n`);
					}
					break;
				case 'item.delta':
					if (items.get(event.itemId)?.kind === 'text') {
						printText(event.itemId, event.text);
					}
					break;
				case 'item.tool': {
					const item = items.get(event.itemId);
					if (item?.kind === 'tool') {
						const patched = { ...item, ...(event.patch as Partial<ToolItem>) };
						items.set(event.itemId, patched);
						reportPace(event.patch);
						reportTool(patched);
					}
					break;
				}
				case 'item.step':
					reportStep(event);
					break;
				case 'item.revised':
					endLine();
					terminal.err('prowess: No result shows this, so the agent revised the answer. The revised one follows.\n');
					break;
				case 'usage':
					usage = event.usage;
					break;
				case 'turn.end':
					endLine();
					if (terminal.showsStatus && usage !== undefined) {
						terminal.err(`  ${formatThreadUsage(usage)}\n`);
					}
					if (event.error !== undefined && event.outcome !== 'stopped') {
						terminal.err(messageFor(event.error, threadId));
					}
					if (goalOffer !== undefined && !terminal.isClosed) {
						terminal.err(`prowess: ${goalOffer} To do so: prowess run --strategy GOAL\n`);
					}
					break;
				case 'turn.start':
					saidPaces.clear();
					goalOffer = undefined;
					break;
				case 'turn.model':
				case 'item.end':
				case 'thread.changed':
				case 'thread.deleted':
				case 'thread.cut':
				case 'todos':
					break;
				default:
					assertNever(event);
			}
		},
		failed: endLine,
	};
}

/** Returns the use of the whole thread, with the cost of the turn where that is not all. */
function formatThreadUsage({ inputTokens, outputTokens, estimated, cost, turnCost, isCostPartial }: Usage): string {
	const formatTokens = (tokens: number) => tokens.toLocaleString('en-US');
	const more = isCostPartial === true ? ' and more' : '';
	const ofTurn = turnCost === undefined || turnCost === cost ? '' : ` (this turn ${inEnglish(costText(turnCost))})`;
	const sum = cost === undefined ? '' : `, ${inEnglish(costText(cost))}${more}${ofTurn}`;
	return `${estimated ? 'about ' : ''}${formatTokens(inputTokens)} tokens in, ${formatTokens(outputTokens)} out${sum}`;
}
