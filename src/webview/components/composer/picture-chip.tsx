/** A small picture in a chip, from bytes that the extension sends: the page loads nothing by an address. */
import { useEffect, useState } from 'preact/hooks';
import type { ImageRef } from '../../../protocol/ops/images.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

/** Small picture without a text of its own, because its name stands beside it. */
export function Picture({ image }: { image: ImageRef }) {
	const { pictures } = useView();
	const [url, setUrl] = useState<string | undefined>(undefined);
	useEffect(() => {
		let isGone = false;
		let made: string | undefined;
		void pictures.bytesOf(image).then((bytes) => {
			if (bytes !== undefined && !isGone) {
				made = URL.createObjectURL(bytes);
				setUrl(made);
			}
		});
		return () => {
			isGone = true;
			if (made !== undefined) {
				URL.revokeObjectURL(made);
			}
		};
	}, [image.id]);
	return url === undefined ? <Icon name="file-media" /> : <img class="chip-picture" src={url} alt="" />;
}
