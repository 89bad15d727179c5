/**
 * The mounts of a sandbox as the system lists them, against those that were meant. bubblewrap follows whatever stands at a path
 * when it comes to it: where a mount lies and what it shows is certain only afterwards.
 */
import { relative } from 'node:path';
import { type Bind, isInFolder } from './mounts.ts';

interface MadeMount {
	/** The mount on which it lies. */
	readonly parent: string;
	readonly device: string;
	/** A path on its device. */
	readonly shows: string;
	readonly path: string;
}

/** Number of fields of a line up to the place of the mount. */
const MOUNT_FIELDS = 5;

export class MadeMounts {
	readonly #byId = new Map<string, MadeMount>();
	/** The last at a place covers those before. */
	readonly #byPath = new Map<string, MadeMount>();

	/** `mountinfo`: as proc(5) describes it. `root`: where what will be the root lies yet; empty where it is that. */
	constructor(mountinfo: string, root = '') {
		for (const line of mountinfo.split('\n')) {
			const [id = '', parent = '', device = '', shows = '', at = ''] = line
				.split(' ', MOUNT_FIELDS)
				.map(unescapeMountField);
			if (root !== '' && !isInFolder(at, root)) continue;
			const path = at === root ? '/' : at.slice(root.length);
			const mount = { parent, device, shows, path };
			this.#byId.set(id, mount);
			this.#byPath.set(path, mount);
		}
	}

	/** True when a folder whose path on its device ends in `end` is mounted at `path`, covered or not. */
	shows(path: string, end: string): boolean {
		return [...this.#byId.values()].some((mount) => mount.path === path && mount.shows.endsWith(end));
	}

	/**
	 * The place of the first bind that is not as it was meant; undefined where all are. Looked at are those in a folder that is
	 * shown as it is: another command may change such a one.
	 */
	exchanged(binds: readonly Bind[]): string | undefined {
		const folders = binds.filter(isItself).map(({ path }) => path);
		return binds
			.filter(({ path }) => folders.some((folder) => folder !== path && isInFolder(path, folder)))
			.find((bind) => !this.#isMeant(bind))?.path;
	}

	#isMeant(bind: Bind): boolean {
		const mount = this.#byPath.get(bind.path);
		if (mount === undefined || !isItself(bind)) {
			return mount !== undefined;
		}
		const below = this.#byId.get(mount.parent);
		return (
			below !== undefined &&
			mount.device === below.device &&
			mount.shows === joinDevicePath(below.shows, relative(below.path, mount.path))
		);
	}
}

function isItself({ path, from }: Bind): boolean {
	return path === from;
}

function joinDevicePath(folder: string, path: string): string {
	return path === '' ? folder : folder === '/' ? `/${path}` : `${folder}/${path}`;
}

/** The kernel writes blanks and backslashes as octal numbers. */
function unescapeMountField(field: string): string {
	return !field.includes('\\')
		? field
		: field.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
}
