/**
 * Finds what a command that installs packages runs of a project, besides what its words name: scripts of manifests, and of the
 * packages that a lock file names.
 */
import { join } from 'node:path';
import { isPlainData } from '../../../base/text/lenient.ts';
import { readTextOrEmpty } from '../../../machine/paths/reading/read-regular-file.ts';
import { listNames } from '../../../trust/gate/policy/commands/indirect-commands.ts';

/** Larger than lock files are. */
const MOST_LOCK_BYTES = 64 * 1_048_576;

interface Installation {
	/** Files that count whole, where they are. */
	readonly files: readonly string[];
	/** Folders below that of the command whose manifests have scripts that run, itself among them; empty: none. */
	readonly manifests: readonly string[];
	/** Parts of a lock file that count, by name. */
	readonly locked: Readonly<Record<string, string>>;
}

interface PackageInstaller {
	/** Words after which it installs; a program without one installs, too, where `isBare`. */
	readonly verbs: ReadonlySet<string>;
	readonly isBare?: true;
	readonly files: readonly string[];
	readonly hasManifest?: true;
}

const NODE_VERBS =
	listNames(`add ci cit clean-install clean-install-test dedupe i ic import in ins inst insta instal install
	install-ci-test install-clean install-test isnt isnta isntal isntall isntall-clean it link ln pack prune publish r rb
	rebuild remove rm sit un uninstall up update upgrade`);

/** Installs exactly what is locked. */
const EXACT_VERBS = listNames(
	'ci cit clean-install clean-install-test ic install-ci-test install-clean isntall-clean sit',
);

const INSTALLERS: Readonly<Record<string, PackageInstaller>> = {
	npm: { verbs: NODE_VERBS, files: ['.npmrc', 'binding.gyp'], hasManifest: true },
	pnpm: {
		verbs: NODE_VERBS,
		files: ['.npmrc', 'binding.gyp', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs'],
		hasManifest: true,
	},
	yarn: {
		verbs: NODE_VERBS,
		isBare: true,
		files: ['.npmrc', 'binding.gyp', 'yarn.lock', '.yarnrc', '.yarnrc.yml', 'yarn.config.cjs'],
		hasManifest: true,
	},
	bun: {
		verbs: NODE_VERBS,
		files: ['.npmrc', 'binding.gyp', 'bun.lock', 'bun.lockb', 'bunfig.toml'],
		hasManifest: true,
	},
	uv: {
		verbs: listNames('sync run pip build add remove tool'),
		files: ['uv.lock', 'uv.toml', 'pyproject.toml', 'setup.py', 'setup.cfg', 'hatch_build.py'],
	},
	poetry: {
		verbs: listNames('install sync add remove update build run'),
		files: ['poetry.lock', 'poetry.toml', 'pyproject.toml', 'build.py', 'setup.py'],
	},
	pip: {
		verbs: listNames('install wheel download'),
		files: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'constraints.txt'],
	},
	bundle: {
		verbs: listNames('install update add exec'),
		isBare: true,
		files: ['Gemfile', 'Gemfile.lock', '.bundle/config'],
	},
	composer: { verbs: listNames('install i update u require remove'), files: ['composer.json', 'composer.lock'] },
};

/** Undefined: the words install nothing. `folder`: in which the command runs. */
export function findInstallation(program: string, words: readonly string[], folder: string): Installation | undefined {
	const name = /^pip[\d.]+$/.test(program) ? 'pip' : program === 'bundler' ? 'bundle' : program;
	const installer = Object.hasOwn(INSTALLERS, name) ? INSTALLERS[name] : undefined;
	// A flag may take a word of its own, so any of them may be the verb.
	const plain = words.filter((word) => !word.startsWith('-'));
	const isInstalling =
		plain.some((word) => installer?.verbs.has(word)) || (installer?.isBare === true && plain.length === 0);
	if (installer === undefined || !isInstalling) {
		return undefined;
	}
	if (installer.hasManifest !== true) {
		return { files: installer.files, manifests: [], locked: {} };
	}
	const lock = name === 'npm' ? readNpmLock(folder) : undefined;
	// Whatever else than exactly what is locked may be fetched, by what the manifest says.
	const isExact = lock !== undefined && plain.some((word) => EXACT_VERBS.has(word));
	return {
		files: isExact ? installer.files : [...installer.files, 'package.json'],
		manifests: ['', ...(lock?.workspaces ?? [])],
		locked: lock?.locked ?? {},
	};
}

interface NpmLock {
	/** Packages that bring scripts of their own, or lie elsewhere than in a registry: what their hash says counts. */
	readonly locked: Readonly<Record<string, string>>;
	/** Folders of the project's own packages. */
	readonly workspaces: readonly string[];
}

/** Undefined: there is none. A lock file that cannot be read so, or is of an earlier form, counts whole. */
function readNpmLock(folder: string): NpmLock | undefined {
	for (const name of ['npm-shrinkwrap.json', 'package-lock.json']) {
		const text = readTextOrEmpty(join(folder, name), MOST_LOCK_BYTES, [folder]);
		if (text === '') continue;
		const packages = readPackages(text);
		if (packages === undefined) {
			return { locked: { [name]: text }, workspaces: [] };
		}
		const entries = Object.entries(packages);
		const own = entries.filter(([path]) => path !== '' && !path.includes('node_modules/')).map(([path]) => path);
		const running = entries.filter(([path, entry]) => path.includes('node_modules/') && mayRun(entry));
		return {
			locked: Object.fromEntries(running.map(([path, entry]) => [`${name}: ${path}`, JSON.stringify(entry)])),
			workspaces: own,
		};
	}
	return undefined;
}

type LockedPackage = Readonly<Record<string, unknown>>;

function readPackages(lock: string): Readonly<Record<string, LockedPackage>> | undefined {
	try {
		const { packages, lockfileVersion } = JSON.parse(lock) as { packages?: unknown; lockfileVersion?: unknown };
		const isOfKnownForm = typeof lockfileVersion === 'number' && lockfileVersion >= 2;
		const isKnown = isOfKnownForm && isPlainData(packages) && Object.values(packages).every(isPlainData);
		return isKnown ? (packages as Readonly<Record<string, LockedPackage>>) : undefined;
	} catch {
		return undefined;
	}
}

/** True where scripts are named, and where no registry has said that there are none. */
function mayRun({ hasInstallScript, link, resolved, integrity, inBundle }: LockedPackage): boolean {
	const isOfRegistry = typeof resolved === 'string' && resolved.startsWith('https:') && typeof integrity === 'string';
	return hasInstallScript === true || (link !== true && inBundle !== true && !isOfRegistry);
}
