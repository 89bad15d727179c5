/** A command as somebody would type it: once, whole, with quotes where a word needs them. Its arguments, one by one, are a click away. */
import { Fragment } from 'preact';
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import { needsInWords, sandboxInWords } from '../../protocol/ops/command-needs-text.ts';
import { typedCommand } from '../../protocol/ops/shell-line.ts';
import { wordsOf } from '../../protocol/text.ts';
import { useView } from '../view-context.ts';
import { Disclosure } from './disclosure.tsx';
import { Icon } from './icon.tsx';

type Command = Extract<ApprovalDetail, { kind: 'command' }>;

export function CommandLine({ argv, chain = [], cwd, sandboxed, needs }: Command) {
	const { t, editor } = useView();
	const line = [typedCommand(argv), ...chain.map((next) => `${next.join} ${typedCommand(next.argv)}`)].join(' ');
	return (
		<>
			<div class="command-line">
				<code tabIndex={0} aria-label={t('Command')}>
					<span class="prompt-sign" aria-hidden="true">
						${' '}
					</span>
					{typedCommand(argv)}
					{chain.map((next, index) => (
						<Fragment key={index}>
							{' '}
							<b>{next.join}</b> {typedCommand(next.argv)}
						</Fragment>
					))}
				</code>
				<button
					type="button"
					class="icon-button"
					title={t('Copy command')}
					aria-label={t('Copy command')}
					onClick={() => void editor.copy(line)}
				>
					<Icon name="copy" />
				</button>
			</div>
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
			<Disclosure class="arguments" summary={t('Arguments')}>
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
				</li>
			))}
		</ol>
	);
}
