/** Facts about a command in one row, each opened by a click: what its sandbox lets it reach, and its arguments one by one. */
import { Fragment, type ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Join } from '../../../protocol/ops/commands/command-chain.ts';
import { sandboxInWords, sandboxReachInWords } from '../../../protocol/ops/commands/command-needs.ts';
import { lookAlikes } from '../../../protocol/ops/commands/typed-command.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Translate } from '../../parts/translate.ts';

interface CommandFactsProps {
	readonly commands: readonly {
		readonly join: Join | '';
		readonly argv: readonly string[];
		readonly files: readonly string[];
	}[];
	/** Undefined: it is not known. */
	readonly sandboxed: boolean | undefined;
	/** Arguments are shown at first, because the line alone could mislead. */
	readonly misleads: boolean;
	/** Stands in the same row. */
	readonly beside: ComponentChildren;
}

type OpenedFacts = 'sandbox' | 'arguments' | undefined;

export function ShownFacts({ commands, sandboxed, misleads, beside }: CommandFactsProps) {
	const { t } = useView();
	const [opened, setOpened] = useState<OpenedFacts>(misleads ? 'arguments' : undefined);
	const id = useId();
	const renderOpener = (fact: Exclude<OpenedFacts, undefined>, label: string, icon?: string) => (
		<button
			type="button"
			class="fact-opener"
			aria-expanded={opened === fact}
			aria-controls={opened === fact ? id : undefined}
			onClick={() => setOpened(opened === fact ? undefined : fact)}
		>
			<Icon name={icon ?? (opened === fact ? 'chevron-down' : 'chevron-right')} />
			{label}
		</button>
	);
	return (
		<>
			<div class="dock-facts">
				{sandboxed === false && <span class="sandbox unsafe">{translateText(sandboxInWords(false), t)}</span>}
				{sandboxed === true && renderOpener('sandbox', translateText(sandboxInWords(true), t), 'shield')}
				{renderOpener('arguments', t('Arguments'))}
				{beside}
			</div>
			{opened === 'sandbox' && (
				<ul id={id} class="sandbox">
					{sandboxReachInWords().map((reach, index) => (
						<li key={index}>{translateText(reach, t)}</li>
					))}
				</ul>
			)}
			{opened === 'arguments' && (
				<div id={id} class="arguments">
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
				</div>
			)}
		</>
	);
}

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
