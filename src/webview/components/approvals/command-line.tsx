/**
 * A command as a person would type it: complete, with quotes where a word needs them and its risky parts marked. A
 * click shows its arguments one by one; they are shown at once where quotes could mislead.
 */
import { Fragment } from 'preact';
import type { ApprovalDetail, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { listChainCommands, type Join } from '../../../protocol/ops/commands/command-chain.ts';
import { needsInWords, sandboxInWords } from '../../../protocol/ops/commands/command-needs.ts';
import {
	isMisleading,
	lookAlikes,
	typedCommands,
	typedPieces,
	typedRedirects,
} from '../../../protocol/ops/commands/typed-command.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { IconButton } from '../../parts/icon.tsx';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Risks } from './risks.tsx';

type CommandDetail = Extract<ApprovalDetail, { kind: 'command' }>;

function joinText(join: Join, t: Translate): string {
	switch (join) {
		case '|':
			return t('piped into');
		case '&&':
			return t('then, if that succeeds');
		case '||':
			return t('then, if that fails');
		case ';':
			return t('then, in any case');
	}
}

interface CommandLineProps {
	readonly command: CommandDetail;
	readonly warning: RiskWarning | null;
	/** Id of the list of its risks. */
	readonly risksId: string | undefined;
}

export function TypedCommandLine({ command, warning, risksId }: CommandLineProps) {
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
			{sandboxed !== undefined && (
				<p class={sandboxed ? 'sandbox' : 'sandbox unsafe'}>{translateText(sandboxInWords(sandboxed), t)}</p>
			)}
			{needs !== undefined && (
				<ul class="needs">
					{needsInWords(needs).map((need, index) => (
						<li key={index}>{translateText(need, t)}</li>
					))}
				</ul>
			)}
			<Disclosure class="arguments" summary={t('Arguments')} isOpenAtFirst={misleads}>
				{() => (
					<>
						{commands.map(({ join, argv, files }, index) => (
							<Fragment key={index}>
								{join !== '' && (
									<p class="join">
										<code>{join}</code> {joinText(join, t)}
									</p>
								)}
								<ArgumentVector argv={argv} />
								{files.map((file, at) => (
									<p key={at} class="join">
										<code>{file}</code>
									</p>
								))}
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
