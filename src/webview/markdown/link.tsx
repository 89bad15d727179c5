/** A link of the model's text. It has no address of its own, so nothing but our click handler can follow it. */
import type { ComponentChildren } from 'preact';
import { linkTarget } from './link-target.ts';
import { useText } from './text-actions.ts';

export function Link({ href, children }: { href: string; children: ComponentChildren }) {
	const { t, openLink, openFile } = useText();
	const target = linkTarget(href);
	if (target.kind === 'inert') {
		return <span class="inert-link">{children}</span>;
	}
	const follow = () => {
		if (target.kind === 'web') {
			openLink(target.url);
		} else {
			openFile(target.path, target.line);
		}
	};
	const title =
		target.kind === 'web'
			? t('Open {host}: {url}', { host: target.host, url: target.url })
			: t('Open {path}', { path: target.path });
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
