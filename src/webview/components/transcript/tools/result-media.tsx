/**
 * Pictures and sounds in the result of a call, which stay in sight while its card is closed, and what the user can let an MCP
 * server change that it could not. The extension sends the bytes; the page loads nothing by an address.
 */
import { useEffect, useState } from 'preact/hooks';
import { type ImageRef, isSoundType } from '../../../../protocol/ops/images.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon, IconButton } from '../../../parts/icon.tsx';

export function ToolMedia({ item: { images = [], lacks } }: { item: ToolItem }) {
	const { t, editor } = useView();
	return (
		<>
			{images.length > 0 && (
				<ul class="result-media" aria-label={t('Pictures and sounds of the result')}>
					{images.map((image) => (
						<li key={image.id}>
							<StoredMedia media={image} />
						</li>
					))}
				</ul>
			)}
			{lacks !== undefined && (
				<p class="card-below answer">
					{lacks.path === '.'
						? t('The MCP server {server} may not change the workspace.', { server: lacks.server })
						: t('The MCP server {server} may not change {path}.', { server: lacks.server, path: lacks.path })}{' '}
					{lacks.isOffered === false ? (
						t('Have it keep its files in another folder, by "env" or "args" of its entry.')
					) : (
						<button type="button" class="link-button" onClick={() => void editor.letServerWrite(lacks)}>
							<Icon name="unlock" /> {t('Allow it…')}
						</button>
					)}
				</p>
			)}
		</>
	);
}

/** Picture or sound with what can be done with it, or a note that its bytes are gone. */
function StoredMedia({ media }: { media: ImageRef }) {
	const { t, editor } = useView();
	const { url, isGone } = useBytes(media);
	const isSound = isSoundType(media.type);
	const label = media.name ?? (isSound ? t('Sound') : t('Picture'));
	if (isGone) {
		return <span class="detail-note">{t('{name} is no longer stored.', { name: label })}</span>;
	}
	return (
		<>
			{isSound ? <Sound url={url} label={label} /> : <LargePicture url={url} label={label} />}
			{url !== undefined && (
				<IconButton
					icon="save"
					title={t('Save…')}
					label={t('Save {name}', { name: label })}
					onClick={() => void editor.saveMedia(media)}
				/>
			)}
		</>
	);
}

interface ShownMedia {
	/** Absent until the bytes are there. */
	readonly url: string | undefined;
	readonly label: string;
}

/** Small at first; a click shows it as large as the page has room for. */
function LargePicture({ url, label }: ShownMedia) {
	const { t } = useView();
	const [isLarge, setIsLarge] = useState(false);
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

function Sound({ url, label }: ShownMedia) {
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
