/** Pictures in what is pasted or dropped, on their way into the draft. */
import { useState } from 'preact/hooks';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { GivenPicture } from '../../../actions/picture-actions.ts';
import { useView } from '../../../actions/view-context.ts';

interface Pictures {
	/** A message that is sent now would go without them. */
	readonly isAttaching: boolean;
	/** True when there are any; they are added to the draft. */
	take(data: DataTransfer | null, way: 'paste' | 'drop'): boolean;
}

export function usePictures(threadId: ThreadId | null): Pictures {
	const { pictures } = useView();
	const [underWay, setUnderWay] = useState(0);
	return {
		isAttaching: underWay > 0,
		take(data, way) {
			// Read at once: what is pasted or dropped can be read only while it is.
			const given = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/')).map(givenBy[way]);
			if (given.length === 0) {
				return false;
			}
			setUnderWay((count) => count + 1);
			void pictures.attach(threadId, given).finally(() => setUnderWay((count) => count - 1));
			return true;
		},
	};
}

const givenBy: Readonly<Record<'paste' | 'drop', (file: File) => GivenPicture>> = {
	// A browser calls every pasted picture the same.
	paste: (file) => ({ file }),
	drop: (file) => ({ file, name: file.name }),
};
