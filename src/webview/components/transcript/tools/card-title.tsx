/** Draws the title of a call, as its op's definition made it. Cuts folders of its path, not the name at its end. */
import { cutText } from '../../../../base/text/cut-text.ts';
import { escapeInvisible } from '../../../../base/text/escape-invisible.ts';

/** More than a line of any card has room for. */
const MAX_TITLE_CHARS = 2_000;

export function CardTitle({ title, path }: { readonly title: string; readonly path: string | undefined }) {
	const shown = escapeInvisible(cutText(title, MAX_TITLE_CHARS), 'line');
	const nameAt = path === undefined || !shown.endsWith(path) ? -1 : shown.lastIndexOf('/') + 1;
	return nameAt <= 0 || nameAt === shown.length ? (
		<span class="card-title">{shown}</span>
	) : (
		<span class="card-title split" title={shown}>
			<span class="title-folders">{shown.slice(0, nameAt)}</span>
			<span class="title-name">{shown.slice(nameAt)}</span>
		</span>
	);
}
