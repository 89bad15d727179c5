/**
 * Handles pastes into the input and drops on it: pictures, files of the editor, and texts that are too long for the
 * field.
 */
import { useState } from 'preact/hooks';
import { MAX_PASTED_CHARS } from '../../../../protocol/thread/context.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { GivenPicture } from '../../../actions/picture-actions.ts';
import { useView } from '../../../actions/view-context.ts';
import type { ComposerField } from './use-field.ts';

/** The addresses in what was dropped or pasted. The editor's own list comes first; the system's is the same without it. */
const URI_LIST_TYPES = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

function readDroppedUris(data: DataTransfer | null): readonly string[] {
	const type = URI_LIST_TYPES.find((name) => data?.types.includes(name) === true);
	const text = type === undefined ? '' : (data?.getData(type) ?? '');
	return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Longest paste, in characters and lines, that goes into the field. A longer one is attached, because in the field it
 * would hide the text about it.
 */
const PASTED_CHARS = 4_000;
const PASTED_LINES = 60;

interface Attaching {
	/** A message that is sent now would go without its pictures. */
	readonly isAttaching: boolean;
	readonly isDraggedOver: boolean;
	/** For what lies around the field. */
	readonly dropHandlers: {
		onDragOver(event: DragEvent): void;
		onDragLeave(event: DragEvent & { readonly currentTarget: EventTarget }): void;
		onDrop(event: DragEvent): void;
	};
	onPaste(event: ClipboardEvent): void;
}

interface AttachingProps {
	readonly threadId: ThreadId | null;
	readonly field: ComposerField;
	/** To a question the field alone is the answer. */
	readonly takesLongTexts: boolean;
}

export function useAttaching({ threadId, field, takesLongTexts }: AttachingProps): Attaching {
	const { drafts, editor } = useView();
	const pictures = usePictures(threadId);
	const [isDraggedOver, setIsDraggedOver] = useState(false);

	async function attachTransfer(data: DataTransfer | null, way: 'paste' | 'drop'): Promise<void> {
		// A uri that the editor lists may be a file of the workspace, which is better referred to than copied.
		if (readDroppedUris(data).length === 0) {
			pictures.take(data, way);
			return;
		}
		const attach = drafts.attachLater(threadId);
		attach(await editor.resolveDrop(readDroppedUris(data)));
		field.element.current?.focus();
	}

	/** True: it is attached, and stays out of the field. */
	function attachLong(text: string): boolean {
		const isLong = text.length > PASTED_CHARS || text.split('\n').length > PASTED_LINES;
		// A message beyond the limit says so itself.
		if (!isLong || text.length > MAX_PASTED_CHARS || !takesLongTexts) {
			return false;
		}
		field.attach([{ kind: 'pasted', text }]);
		return true;
	}

	return {
		isAttaching: pictures.isAttaching,
		isDraggedOver,
		dropHandlers: {
			onDragOver(event) {
				event.preventDefault();
				setIsDraggedOver(true);
			},
			onDragLeave({ relatedTarget, currentTarget }) {
				const isWithin =
					relatedTarget instanceof Node && currentTarget instanceof Node && currentTarget.contains(relatedTarget);
				if (!isWithin) {
					setIsDraggedOver(false);
				}
			},
			onDrop(event) {
				event.preventDefault();
				setIsDraggedOver(false);
				void attachTransfer(event.dataTransfer, 'drop');
			},
		},
		onPaste(event) {
			const { clipboardData } = event;
			if (clipboardData?.types.includes('text/plain') === false) {
				event.preventDefault();
				void attachTransfer(clipboardData, 'paste');
			} else if (attachLong(clipboardData?.getData('text/plain') ?? '')) {
				event.preventDefault();
			}
		},
	};
}

interface Pictures {
	/** A message that is sent now would go without them. */
	readonly isAttaching: boolean;
	/** True when there are any; they are added to the draft. */
	take(data: DataTransfer | null, way: 'paste' | 'drop'): boolean;
}

/** Pictures in what is pasted or dropped, on their way into the draft. */
function usePictures(threadId: ThreadId | null): Pictures {
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
