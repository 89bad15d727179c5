/** Licences of the packages that end up in what users install. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
	readonly version?: string;
	readonly license?: string;
	readonly dev?: boolean;
	readonly optional?: boolean;
	readonly devOptional?: boolean;
}

/** `isHeld`: whether the package at that path of package-lock.json is among them; absent: those that are not for development. */
export function noticesText(root: string, isHeld?: (path: string) => boolean): string {
	const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
		readonly packages: Readonly<Record<string, LockedPackage>>;
	};
	const shipped = Object.entries(lock.packages).filter(([path, { dev, optional, devOptional }]) =>
		isHeld === undefined ? path !== '' && !dev && !optional && !devOptional : isHeld(path),
	);
	const notices = shipped.map(([path, { version = '', license = '' }]) => notice(root, path, version, license));
	const intro = ['Prowess contains software of others, under the licences below.'];
	const ours = [
		'',
		'The icons are the codicons of Microsoft Corporation, used under CC-BY-4.0 (https://creativecommons.org/licenses/by/4.0/).',
		'',
		'Many forms of the tokens that are redacted were learned from gitleaks (MIT), copyright (c) 2019 Zachary Rice.',
	];
	const first = isHeld === undefined ? [...intro, ...ours] : intro;
	return `${[first.join('\n'), ...new Set(notices)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function notice(root: string, path: string, version: string, license: string): string {
	const folder = join(root, path);
	const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
	const files = existsSync(folder)
		? readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
		: [];
	const texts = files
		.toSorted()
		.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
	return [
		`${name} ${version} (${license})`,
		...(texts.length === 0 ? ['Its package contains no text of its licence.'] : texts),
	].join('\n\n');
}
