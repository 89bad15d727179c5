/** Frame of a page that is read from the extension: its title, the failure of its latest request, and its content. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import { useText } from './text-actions.ts';

interface PageFrameProps {
	readonly class: string;
	readonly title: string;
	readonly summary: string;
	readonly isReading: boolean;
	/** Sentence about the latest request; null: it succeeded. */
	readonly failure: string | null;
	readonly children: ComponentChildren;
}

export function PageFrame({ class: className, title, summary, isReading, failure, children }: PageFrameProps) {
	return (
		<main class={className} aria-busy={isReading}>
			<header class="page-head">
				<h1>{title}</h1>
				<p class="page-summary">{summary}</p>
			</header>
			<PageFailure failure={failure} />
			{children}
		</main>
	);
}

export function PageFailure({ failure }: Pick<PageFrameProps, 'failure'>) {
	return failure === null ? null : (
		<p class="page-problem" role="alert">
			<Icon name="error" /> {failure}
		</p>
	);
}

export function PageWaits() {
	const { t } = useText();
	return (
		<p class="page-waits" role="status">
			<Icon name="loading" spin /> {t('Reading…')}
		</p>
	);
}
