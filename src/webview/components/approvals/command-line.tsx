/**
 * A command as somebody would type it: once, whole, with quotes where a word needs them and its risky parts marked. Its
 * arguments, one by one, are a click away; they are shown by themselves where quotes could mislead.
 */
import { Fragment } from 'preact';
import type { ApprovalDetail, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { needsInWords, sandboxInWords } from '../../../protocol/ops/commands/command-needs-text.ts';
import { isMisleading, lookAlikes, typedCommands, typedPieces } from '../../../protocol/ops/commands/typed-command.ts';
import { wordsOf } from '../../../protocol/text/text.ts';
import { useView } from '../../view-context.ts';
import { Disclosure } from '../disclosure.tsx';
import { Icon } from '../icon.tsx';
import { Risks } from './risks.tsx';

type Command = Extract<ApprovalDetail, { kind: 'command' }>;

interface CommandLineProps {
	readonly command: Command;
	readonly warning: RiskWarning | null;
	/** Of the list of its risks. */
	readonly risksId: string | undefined;
}

export function CommandLine({ command, warning, risksId }: CommandLineProps) {
	const { t, editor } = useView();
	const { argv, chain = [], cwd, notation, sandboxed, needs } = command;
	const pieces = [{ argv }, ...chain].map((each, index) =>
		typedPieces(each.argv, warning?.marks.filter((mark) => mark.command === index) ?? [], notation),
	);
	const joins = ['', ...chain.map(({ join }) => join)];
	const misleads = [argv, ...chain.map((next) => next.argv)].some((words) => words.some(isMisleading));
	return (
		<>
			<div class="command-line">
				<code tabIndex={0} aria-label={t('Command')}>
					<span class="prompt-sign" aria-hidden="true">
						${' '}
					</span>
					{pieces.map((each, index) => (
						<Fragment key={index}>
							{index > 0 && (
								<>
									{' '}
									<b>{joins[index]}</b>{' '}
								</>
							)}
							{each.map(({ text, isMarked }, at) => (isMarked ? <mark key={at}>{text}</mark> : text))}
						</Fragment>
					))}
				</code>
				<button
					type="button"
					class="icon-button"
					title={t('Copy command')}
					aria-label={t('Copy command')}
					onClick={() => void editor.copy(typedCommands(command))}
				>
					<Icon name="copy" />
				</button>
			</div>
			<Risks warning={warning} id={risksId} />
			{misleads && (
				<p class="misleading">
					{t('Look at the arguments: some are empty, or have characters that cannot be seen or look like others.')}
				</p>
			)}
			{cwd !== '.' && (
				<p class="cwd">
					{t('in')} <code>{cwd}</code>
				</p>
			)}
			{sandboxed !== undefined && (
				<p class={sandboxed ? 'sandbox' : 'sandbox unsafe'}>{wordsOf(sandboxInWords(sandboxed), t)}</p>
			)}
			{needs !== undefined && (
				<ul class="needs">
					{needsInWords(needs).map((need, index) => (
						<li key={index}>{wordsOf(need, t)}</li>
					))}
				</ul>
			)}
			<Disclosure class="arguments" summary={t('Arguments')} isOpenAtFirst={misleads}>
				{() => (
					<>
						<ArgumentVector argv={argv} />
						{chain.map((next, index) => (
							<Fragment key={index}>
								<p class="join">
									<code>{next.join}</code> {next.join === '|' ? t('piped into') : t('then, if that succeeds')}
								</p>
								<ArgumentVector argv={next.argv} />
							</Fragment>
						))}
					</>
				)}
			</Disclosure>
		</>
	);
}

function ArgumentVector({ argv }: { argv: readonly string[] }) {
	const { t } = useView();
	return (
		<ol class="argv" aria-label={t('Program and arguments')} tabIndex={0}>
			{argv.map((argument, index) => (
				<li key={index}>
					<code>{argument === '' ? "''" : argument}</code>
					{lookAlikes(argument).map((each) => (
						<span key={each} class="look-alike">
							{each}
						</span>
					))}
				</li>
			))}
		</ol>
	);
}
