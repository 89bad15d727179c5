/** Link in a text. The element has no address of its own, so only our click handler can follow it. */
import type { ComponentChildren } from 'preact';
import type { FileMention } from './text/file-mentions.ts';
import { linkTarget } from './link-target.ts';
import { useText } from '../parts/text-actions.ts';

/** Link that the model wrote as one. */
export function MarkdownLink({ href, children }: { href: string; children: ComponentChildren }) {
	const { t, openLink, openFile } = useText();
	const target = linkTarget(href);
	if (target.kind === 'inert') {
		return <span class="inert-link">{children}</span>;
	}
	return target.kind === 'web' ? (
		<FollowedLink
			title={t('Open {host}: {url}', { host: target.host, url: target.url })}
			follow={() => openLink(target.url)}
		>
			{children}
		</FollowedLink>
	) : (
		<FollowedLink title={t('Open {path}', { path: target.path })} follow={() => openFile(target.path, target.line)}>
			{children}
		</FollowedLink>
	);
}

/** File that a text names. */
export function FileLink({ mention: { text, path, line } }: { mention: FileMention }) {
	const { t, openFile } = useText();
	const title = line === undefined ? t('Open {path}', { path }) : t('Open {path} at line {line}', { path, line });
	return (
		<FollowedLink title={title} follow={() => openFile(path, line)}>
			{text}
		</FollowedLink>
	);
}

interface FollowedProps {
	readonly title: string;
	follow(): void;
	readonly children: ComponentChildren;
}

function FollowedLink({ title, follow, children }: FollowedProps) {
	return (
		<a
			class="link"
			role="link"
			tabIndex={0}
			title={title}
			onClick={follow}
			onKeyDown={(event) => {
				if (event.key === 'Enter') {
					event.preventDefault();
					follow();
				}
			}}
		>
			{children}
		</a>
	);
}
