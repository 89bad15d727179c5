/** Rows of images by turn, and of restores, as the host and its store worker exchange them. */

/**
 * State where nothing has the name. Any other is the hash of a file and its permissions (`sha256 644`), a link and where it
 * leads (`link ../a`), or a folder and its permissions (`folder 755`).
 */
export const NO_FILE_STATE = 'none';

/** Bytes, or none, that a file held when a thread's turn changed it, and those that were left. */
export interface TurnImage {
	/** Rises with each image. */
	readonly number: number;
	readonly turnId: string;
	readonly path: string;
	readonly absolutePath: string;
	readonly before: string;
	/** Null: the write is not known to have come to its end. */
	readonly after: string | null;
	/** Topmost folder that was made for the file; null: its folder was there. */
	readonly newFolder: string | null;
}

export interface NewTurnImage extends Omit<TurnImage, 'number' | 'after'> {
	readonly threadId: string;
	/** Bytes of `before`; undefined: there is no file, or they are too many to be kept. */
	readonly bytes: Uint8Array | undefined;
}

export interface ImageAfter {
	readonly threadId: string;
	readonly absolutePath: string;
	readonly after: string;
	/** Undefined: there is no file, or the bytes are not to lie here. */
	readonly bytes: Uint8Array | undefined;
}

/** File of a restore: it becomes `to`, and `from` again when the restore is taken back. */
export interface RestoredFile {
	readonly path: string;
	readonly absolutePath: string;
	readonly from: string;
	readonly to: string;
	/** Topmost folder that goes with the file when it is empty. */
	readonly newFolder: string | null;
	/** Numbers of the images that are taken back with it. */
	readonly images: readonly number[];
	/** Hash of the text that the thread is to know the file by from now on; null: it is to know none. */
	readonly known: string | null;
	/** Somebody else has changed it meanwhile: it was not touched. */
	readonly isLeft: boolean;
}

/** `forth`: files become what they were; `back`: that is being taken back; `done`: it can be taken back. */
type RestoreState = 'forth' | 'done' | 'back';

/** A restore of a thread: its last one. */
export interface RestoreRow {
	readonly threadId: string;
	/** Turn of the message to which it goes back. */
	readonly turnId: string;
	readonly withConversation: boolean;
	readonly state: RestoreState;
	/** ISO time. */
	readonly at: string;
	readonly files: readonly RestoredFile[];
}

export interface RestoreTurn {
	readonly threadId: string;
	readonly from: RestoreState;
	readonly to: RestoreState;
}

export interface RestoreEnd {
	readonly threadId: string;
	/** State that it is in until then. */
	readonly state: 'forth' | 'back';
	/** Absolute paths of files that were not touched. */
	readonly left: readonly string[];
}

export interface NewRestore extends Omit<RestoreRow, 'state' | 'at'> {
	/** Bytes that are not kept yet, each with its hash. */
	readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
}
