/** Place in the workspace that a sandboxed command may not read or not change. */
export interface GuardedPlace {
	/** Absolute; below the root that was looked through by names alone, without following links. */
	readonly path: string;
	readonly kind: 'file' | 'folder' | 'link';
	/** Not to be read. */
	readonly isSecret: boolean;
	/** Not to be changed. */
	readonly isProtected: boolean;
	/** Git's own folder, or a folder that Git would take for one: changed by Git only in part. */
	readonly isRepository: boolean;
	/** Guarded for another name of the file, or because it has one elsewhere. */
	readonly isSecondName?: boolean;
	/** Folders of installed packages that a store outside shares; those of them that stay writable. */
	readonly writable?: readonly string[];
}
