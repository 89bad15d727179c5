/** The text that a capability is, where it is one. */
import { SKILL_FILES } from '../../../protocol/manifest.ts';
import { POWER_FILES, TALENT_FILES } from '../../../protocol/execution/execution.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import { textOfBytes } from '../../../catalog/registry/reading/manifest-files.ts';

/** Returns the text of SKILL.md; undefined without such a file. Throws when the file is no text. */
export function instructionsIn(files: CapabilityFiles): string | undefined {
	return findFileText(files, SKILL_FILES);
}

/** Returns the text of the first file with instructions, whatever its type; undefined without such a file. */
export function bodyIn(files: CapabilityFiles): string | undefined {
	return findFileText(files, [...SKILL_FILES, ...POWER_FILES, ...TALENT_FILES]);
}

function findFileText({ files }: CapabilityFiles, names: readonly string[]): string | undefined {
	const file = names.map((name) => files.find(({ path }) => path === name)).find((each) => each !== undefined);
	return file === undefined ? undefined : textOfBytes(file.bytes);
}
