/** What `--approve auto` lacks on this machine, said once before the work begins. */
import type { ApprovalMode } from '../../capability-host/contract/ports/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Empty where commands are sandboxed, and where they are not approved automatically. */
export async function sandboxText(base: Pick<TrustedBase, 'commandSandbox'>, mode: ApprovalMode): Promise<string> {
	if (mode !== 'auto') {
		return '';
	}
	const sandbox = await base.commandSandbox();
	return sandbox.works
		? ''
		: `prowess: commands are not sandboxed here, so --approve auto runs only those that read. ${inEnglish(sandbox.why)}\n`;
}
