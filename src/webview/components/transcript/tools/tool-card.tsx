/** A tool call: one line, and behind it what went in and what came out. */
import { isObjectValue } from '../../../../base/text/lenient.ts';
import { escapeInvisible } from '../../../../base/text/escape-invisible.ts';
import { cutText } from '../../../../base/text/one-line.ts';
import { textForUser } from '../../../../protocol/errors/error-text.ts';
import { opCard } from '../../../../protocol/op-table/cards.ts';
import { sandboxInWords } from '../../../../protocol/ops/commands/command-needs.ts';
import { type Redirect, redirectText } from '../../../../protocol/ops/commands/redirect.ts';
import { shortTestCountsText, testCountsText } from '../../../../protocol/pages/test-counts-text.ts';
import { pacedText } from '../../../../protocol/pages/usage-text.ts';
import { titleInWords, translateText } from '../../../../protocol/text/text.ts';
import { isOpenCall, type ToolItem } from '../../../../protocol/thread/items.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { LongText, LongTextWithFiles } from '../../../markdown/text/long-text.tsx';
import { useView } from '../../../actions/view-context.ts';
import { AgentCard, useStartedAgent } from './agent-card.tsx';
import { AllowedByLine, AllowedByMark } from '../../approvals/allowed-by.tsx';
import { DiffLines } from '../../approvals/diff-lines.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { clockTime, formatDuration, useElapsed } from '../../../parts/times.ts';
import { PageActions } from './page-actions.tsx';
import { RunResult } from './run-result.tsx';
import { StepList } from './step-list.tsx';
import { toolStatus } from './tool-status.ts';

/** More than a line of any card has room for. */
const MAX_TITLE_CHARS = 2_000;

/** End of a file's name, with its extension, that stays in sight however long the rest is. */
const NAME_END_CHARS = 10;

/** A call that took less shows its time only to those who point at it: the room is the title's. */
const NOTABLE_MS = 2_000;
/** A command that ends sooner is over before anybody has read what could be done with it. */
const ACTIONS_AFTER_MS = 1_000;

export function ToolCard({ item, isElsewhere }: { item: ToolItem; isElsewhere: boolean }) {
	const { t } = useView();
	const status = toolStatus(item, isElsewhere, t);
	const elapsed = useElapsed(item.startedAt, item.status === 'running');
	const { icon, isCommand, isAnswered, isRun } = opCard(item.tool);
	const agent = useStartedAgent(item.opId);
	const isLong = elapsed !== undefined && elapsed >= ACTIONS_AFTER_MS;
	const time =
		item.durationMs ?? (elapsed === undefined || elapsed < 1000 ? undefined : Math.floor(elapsed / 1000) * 1000);
	return (
		<Disclosure
			class={`item tool ${item.status}`}
			items={[item.id]}
			below={
				agent !== undefined ? (
					<AgentCard agent={agent} />
				) : isCommand === true && isLong && !isElsewhere ? (
					<div class="card-below">
						<CommandActions item={item} isWaitedFor />
					</div>
				) : item.steps !== undefined ||
				  item.drawn !== undefined ||
				  (isRun === true && (isLong || !isOpenCall(item.status))) ? (
					<>
						<StepList item={item} isElsewhere={isElsewhere} />
						<RunResult item={item} />
					</>
				) : isAnswered === true && item.status === 'done' ? (
					<p class="card-below answer">{t('You: {answer}', { answer: item.output })}</p>
				) : item.status === 'pending' && item.paced !== undefined ? (
					<p class="card-below answer">
						{translateText(pacedText(item.paced), t)}{' '}
						{t('It continues at {time}.', { time: clockTime(item.paced.until, 'seconds') })}
					</p>
				) : item.error?.facts['mode'] !== undefined ? (
					<RefusedByMode error={item.error} />
				) : isElsewhere ? undefined : (
					<PageActions item={item} />
				)
			}
			summary={
				<>
					<Icon name={icon} />
					<CardTitle title={titleInWords(item, t)} item={item} />
					{item.allowedBy !== undefined && <AllowedByMark allowedBy={item.allowedBy} />}
					{item.diff !== undefined && <DiffCount added={item.diff.added} removed={item.diff.removed} />}
					{item.tests !== undefined && (
						<span class="test-counts" title={translateText(testCountsText(item.tests), t)}>
							{translateText(shortTestCountsText(item.tests), t)}
						</span>
					)}
					<span class="card-status">
						{time !== undefined && (
							<span class={time < NOTABLE_MS ? 'card-time brief' : 'card-time'}>{formatDuration(time, t)}</span>
						)}
						<Icon name={status.icon} spin={status.spin ?? false} />
						<span
							class={
								item.status === 'done' && status.icon === 'check' ? 'sr-only' : 'status-word sr-only-in-little-room'
							}
						>
							{status.word}
						</span>
					</span>
				</>
			}
		>
			{() => <ToolDetail item={item} sentence={status.sentence} isElsewhere={isElsewhere} />}
		</Disclosure>
	);
}

/** Says why the mode of the thread refuses the call, and how to allow it. Such a refusal is not a failure. */
function RefusedByMode({ error }: { error: NonNullable<ToolItem['error']> }) {
	const { t, threads } = useView();
	return (
		<p class="card-below answer">
			{textForUser(error, t)}{' '}
			{error.facts['mode'] === 'ask' && (
				<button type="button" class="link-button" onClick={() => void threads.choose({ mode: 'agent' })}>
					{t('Switch to Agent')}
				</button>
			)}
		</p>
	);
}

export function DiffCount({ added, removed }: { added: number; removed: number }) {
	return (
		<span class="diff-count">
			<span class="added">+{added}</span> <span class="removed">−{removed}</span>
		</span>
	);
}

interface ToolDetailProps {
	readonly item: ToolItem;
	readonly sentence: string | undefined;
	readonly isElsewhere: boolean;
}

function ToolDetail({ item, sentence, isElsewhere }: ToolDetailProps) {
	const { t, editor } = useView();
	const path = findToolPath(item);
	const markdown = readInputParam(item, opCard(item.tool).markdown);
	// Words of a run are for the model: its result stands drawn below the card.
	const isRun = opCard(item.tool).isRun === true || item.drawn !== undefined;
	return (
		<>
			{sentence !== undefined && <p class="detail-sentence">{sentence}</p>}
			{item.allowedBy !== undefined && <AllowedByLine allowedBy={item.allowedBy} />}
			{item.error !== undefined && <p class="detail-error">{textForUser(item.error, t)}</p>}
			{item.diff !== undefined ? (
				<DiffLines patch={item.diff.patch} label={t('Changes of {path}', { path: item.diff.path })} />
			) : markdown === undefined ? (
				<ToolDetailPart label={t('Input')} text={inputText(item)} />
			) : (
				<div class="plan">
					<Markdown text={escapeInvisible(markdown, 'lines')} isDone={true} />
				</div>
			)}
			{item.output !== '' &&
				!isRun &&
				(item.error === undefined || item.told !== undefined ? (
					<ToolDetailPart label={t('Output')} text={item.output} isGrowing={item.status === 'running'} />
				) : (
					<ToldResult text={item.output} />
				))}
			{item.told !== undefined && !isRun && <ToldResult text={item.told} />}
			{item.outputTruncated && !isRun && (
				<p class="detail-note">
					{t('Output shortened.')}{' '}
					{item.status !== 'running' && (
						<button type="button" class="link-button of-editor" onClick={() => void editor.showOutput(item.opId)}>
							{t('Open full output')}
						</button>
					)}
				</p>
			)}
			<div class="detail-footer">
				{item.exitCode !== undefined && item.exitCode !== null && (
					<span>{t('Exit code {code}', { code: item.exitCode })}</span>
				)}
				{item.sandboxed !== undefined && <span>{translateText(sandboxInWords(item.sandboxed), t)}</span>}
				{path !== undefined && (
					<button type="button" class="link-button of-editor" onClick={() => void editor.openFile(path)}>
						<Icon name="go-to-file" /> {t('Open file')}
					</button>
				)}
				{item.durationMs !== undefined && (
					<button type="button" class="link-button of-editor" onClick={() => void editor.showRecorded(item.opId)}>
						<Icon name="verified" /> {t('Recorded')}
					</button>
				)}
				{item.inBackground === true && opCard(item.tool).isCommand === true && !isElsewhere && (
					<CommandActions item={item} isWaitedFor={false} />
				)}
				{item.output !== '' && !isRun && (item.error === undefined || item.told !== undefined) && (
					<button type="button" class="link-button" onClick={() => void editor.copy(item.output)}>
						<Icon name="copy" /> {t('Copy output')}
					</button>
				)}
			</div>
		</>
	);
}

/** Shows the result that went back to the agent. The text is written for a model, so it is shown only on request. */
function ToldResult({ text }: { text: string }) {
	const { t } = useView();
	const label = t('What the agent was told');
	return (
		<Disclosure class="detail-told" summary={label}>
			{() => <ToolDetailPart label={label} text={text} />}
		</Disclosure>
	);
}

/** Files that the text names are links, but not while it grows: it would be read again with each piece. */
function ToolDetailPart({ label, text, isGrowing = false }: { label: string; text: string; isGrowing?: boolean }) {
	return (
		<div class="detail-part">
			<span class="detail-label">{label}</span>
			<pre tabIndex={0} aria-label={label}>
				{isGrowing ? <LongText text={text} /> : <LongTextWithFiles text={text} />}
			</pre>
		</div>
	);
}

/** Returns the model's input in readable form: a command as a line, anything else as JSON or text. */
function inputText({ tool, input }: ToolItem): string {
	if (opCard(tool).isCommand && isObjectValue(input) && Array.isArray(input['argv'])) {
		const { argv, redirects, patterns: _, chain, ...rest } = input;
		const line = [argv.map(String).join(' '), ...redirectTexts(redirects), ...chainTexts(chain)].join(' ');
		return Object.keys(rest).length === 0 ? line : `${line}\n${JSON.stringify(rest, null, 2)}`;
	}
	return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
}

/** Returns the texts of chained commands. The value comes from the model as it is, so its shape is not certain. */
function chainTexts(chain: unknown): string[] {
	const links: unknown[] = Array.isArray(chain) ? chain : [];
	return links.map((link) => {
		const { join, argv, redirects } = (link ?? {}) as { join?: unknown; argv?: unknown; redirects?: unknown };
		return Array.isArray(argv)
			? [join, ...argv, ...redirectTexts(redirects)].map(String).join(' ')
			: JSON.stringify(link);
	});
}

function redirectTexts(redirects: unknown): string[] {
	const all: unknown[] = Array.isArray(redirects) ? redirects : [];
	return all.map((each) => {
		const { stream, mode, path, to } = (each ?? {}) as Readonly<Record<string, unknown>>;
		const isKnown = typeof path === 'string' || typeof to === 'string';
		return isKnown ? redirectText({ stream, mode, path, to } as Redirect, String) : JSON.stringify(each);
	});
}

function findToolPath(item: ToolItem): string | undefined {
	if (item.diff !== undefined) {
		return item.diff.path;
	}
	return readInputParam(item, opCard(item.tool).file);
}

function readInputParam({ input }: ToolItem, name: string | undefined): string | undefined {
	const value = name !== undefined && isObjectValue(input) ? input[name] : undefined;
	return typeof value === 'string' ? value : undefined;
}

/** Actions of the user on a running command, while its turn goes on. `isWaitedFor`: the turn goes on when it ends. */
function CommandActions({ item, isWaitedFor }: { readonly item: ToolItem; readonly isWaitedFor: boolean }) {
	const { t, editor } = useView();
	return (
		<>
			<button
				type="button"
				class="link-button of-editor"
				onClick={() => void editor.showInTerminal(item.opId, titleInWords(item, t))}
			>
				<Icon name="terminal" /> {t('Show in terminal')}
			</button>
			{isWaitedFor && (
				<button type="button" class="link-button" onClick={() => void editor.continueInBackground(item.opId)}>
					<Icon name="run-all" /> {t('Continue in background')}
				</button>
			)}
			<button type="button" class="link-button" onClick={() => void editor.stopCommand(item.opId)}>
				<Icon name="debug-stop" /> {t('Stop this command')}
			</button>
		</>
	);
}

/**
 * Draws the title of a call, as its op's definition made it. Cuts folders of its path, or the words before the name of a
 * capability, not the name at its end.
 */
function CardTitle({ title, item }: { readonly title: string; readonly item: ToolItem }) {
	const shown = escapeInvisible(cutText(title, MAX_TITLE_CHARS), 'line');
	const isRun = opCard(item.tool).isRun === true;
	const object = (isRun ? readInputParam(item, 'name') : findToolPath(item)) ?? '';
	const objectAt = object === '' || !shown.endsWith(object) ? -1 : shown.length - object.length;
	if (objectAt < 0) {
		return <span class="card-title">{shown}</span>;
	}
	const nameAt = Math.max(objectAt, shown.lastIndexOf('/') + 1);
	const endAt = isRun ? shown.length : Math.max(nameAt, shown.length - NAME_END_CHARS);
	const cutFrom = isRun ? 0 : objectAt;
	return (
		<span class="card-title split" title={shown}>
			<span class="title-verb">{shown.slice(0, cutFrom)}</span>
			<span class="title-folders">{shown.slice(cutFrom, nameAt)}</span>
			<span class="title-name">{shown.slice(nameAt, endAt)}</span>
			<span class="title-end">{shown.slice(endAt)}</span>
		</span>
	);
}
