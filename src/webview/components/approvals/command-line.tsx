/**
 * A command as a person would type it: complete, with quotes where a word needs them and its risky parts marked. A
 * click shows its arguments one by one; they are shown at once where quotes could mislead.
 */
import { type ComponentChildren, Fragment } from 'preact';
import type { ApprovalDetail, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { listChainCommands } from '../../../protocol/ops/commands/command-chain.ts';
import { needsInWords } from '../../../protocol/ops/commands/command-needs.ts';
import {
	isMisleading,
	typedCommands,
	typedPieces,
	typedRedirects,
} from '../../../protocol/ops/commands/typed-command.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { IconButton } from '../../parts/icon.tsx';
import { useView } from '../../actions/view-context.ts';
import { ShownFacts } from './command-facts.tsx';
import { Risks } from './risks.tsx';

type CommandDetail = Extract<ApprovalDetail, { kind: 'command' }>;

interface CommandLineProps {
	readonly command: CommandDetail;
	readonly warning: RiskWarning | null;
	/** Id of the list of its risks. */
	readonly risksId: string | undefined;
	/** Stands in the row of its facts. */
	readonly beside: ComponentChildren;
}

export function TypedCommandLine({ command, warning, risksId, beside }: CommandLineProps) {
	const { t, editor } = useView();
	const { cwd, notation, sandboxed, needs } = command;
	const commands = listChainCommands(command).map((each, index) => ({
		...each,
		pieces: typedPieces(each.argv, warning?.marks.filter((mark) => mark.command === index) ?? [], notation),
		files: typedRedirects(each, notation),
	}));
	const misleads = commands.some(({ argv }) => argv.some(isMisleading));
	return (
		<>
			<div class="command-line">
				<code tabIndex={0} aria-label={t('Command')}>
					<span class="prompt-sign" aria-hidden="true">
						${' '}
					</span>
					{commands.map(({ join, pieces, files }, index) => (
						<Fragment key={index}>
							{join !== '' && (
								<>
									{join === ';' ? '' : ' '}
									<b>{join}</b>{' '}
								</>
							)}
							{pieces.map(({ text, isMarked }, at) => (isMarked ? <mark key={at}>{text}</mark> : text))}
							{files.map((file, at) => (
								<Fragment key={at}>
									{' '}
									<b>{file}</b>
								</Fragment>
							))}
						</Fragment>
					))}
				</code>
				<IconButton icon="copy" title={t('Copy command')} onClick={() => void editor.copy(typedCommands(command))} />
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
			{needs !== undefined && (
				<ul class="needs">
					{needsInWords(needs).map((need, index) => (
						<li key={index}>{translateText(need, t)}</li>
					))}
				</ul>
			)}
			<ShownFacts commands={commands} sandboxed={sandboxed} misleads={misleads} beside={beside} />
		</>
	);
}
