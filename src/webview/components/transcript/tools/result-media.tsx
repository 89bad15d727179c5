/**
 * Pictures and sounds in the result of a call, which stay in sight while its card is closed, and what the user can let an MCP
 * server change that it could not. The extension sends the bytes; the page loads nothing by an address.
 */
import { useEffect, useState } from 'preact/hooks';
import { type ImageRef, isSoundType } from '../../../../protocol/ops/images.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon } from '../../../parts/icon.tsx';

export function ToolMedia({ item: { images = [], lacks } }: { item: ToolItem }) {
	const { t, editor } = useView();
	return (
		<>
			{images.length > 0 && (
				<ul class="result-media" aria-label={t('Pictures and sounds of the result')}>
					{images.map((image) => (
						<li key={image.id}>{isSoundType(image.type) ? <Sound sound={image} /> : <LargePicture image={image} />}</li>
					))}
				</ul>
			)}
			{lacks !== undefined && (
				<p class="card-below answer">
					{lacks.path === '.'
						? t('The MCP server {server} may not change the workspace.', { server: lacks.server })
						: t('The MCP server {server} may not change {path}.', lacks)}{' '}
					<button type="button" class="link-button" onClick={() => void editor.letServerWrite(lacks)}>
						<Icon name="unlock" /> {t('Allow it…')}
					</button>
				</p>
			)}
		</>
	);
}

/** Small at first; a click shows it as large as the page has room for. */
function LargePicture({ image }: { image: ImageRef }) {
	const { t } = useView();
	const [isLarge, setIsLarge] = useState(false);
	const { url, isGone } = useBytes(image);
	const label = image.name ?? t('Picture');
	if (isGone) {
		return <span class="detail-note">{t('{name} is no longer stored.', { name: label })}</span>;
	}
	return (
		<button
			type="button"
			class={isLarge ? 'result-picture large' : 'result-picture'}
			aria-expanded={isLarge}
			title={label}
			aria-label={isLarge ? t('Show {name} small', { name: label }) : t('Show {name} large', { name: label })}
			onClick={() => setIsLarge(!isLarge)}
		>
			{url === undefined ? <Icon name="file-media" /> : <img src={url} alt={label} />}
		</button>
	);
}

function Sound({ sound }: { sound: ImageRef }) {
	const { t } = useView();
	const { url, isGone } = useBytes(sound);
	const label = sound.name ?? t('Sound');
	if (isGone) {
		return <span class="detail-note">{t('{name} is no longer stored.', { name: label })}</span>;
	}
	return (
		<span class="result-sound">
			<Icon name="unmute" /> {label}
			{url !== undefined && <audio controls preload="metadata" src={url} aria-label={label} />}
		</span>
	);
}

/** An address of the bytes for this page, as long as the part is drawn. */
export function useBytes(media: ImageRef): { readonly url: string | undefined; readonly isGone: boolean } {
	const { pictures } = useView();
	const [shown, setShown] = useState<{ readonly url: string | undefined; readonly isGone: boolean }>({
		url: undefined,
		isGone: false,
	});
	useEffect(() => {
		let isOver = false;
		let made: string | undefined;
		void pictures.bytesOf(media).then((bytes) => {
			if (isOver) return;
			made = bytes === undefined ? undefined : URL.createObjectURL(bytes);
			setShown({ url: made, isGone: made === undefined });
		});
		return () => {
			isOver = true;
			if (made !== undefined) URL.revokeObjectURL(made);
		};
	}, [media.id]);
	return shown;
}
