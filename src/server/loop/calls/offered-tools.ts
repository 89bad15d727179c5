/** The tools that a model is offered, and so the calls that are accepted. */
import type { OpName } from '../../../protocol/ops.ts';
import type { Text } from '../../../protocol/text/text.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import type { ToolDeclaration } from '../../models/model-port.ts';
import type { OwnTool } from '../../own-tools/own-tool.ts';
import type { RareTools } from '../../own-tools/rare-tools.ts';

interface RefusalFacts extends Readonly<Record<string, unknown>> {
	/** Mode of the thread that leaves the op out. */
	readonly mode: Mode;
	readonly reason: Text;
}

export interface OfferedTools {
	readonly ops: ReadonlySet<OpName>;
	/** With those of `own`; without what is declared only once it was looked for. */
	readonly declarations: readonly ToolDeclaration[];
	/** Tools that the loop carries out by itself. */
	readonly own?: readonly OwnTool[];
	/** Among `own`; absent: there are none that have to be looked for. */
	readonly rare?: RareTools;
	/** Why another op is refused, after the name of its tool. */
	refusal(op: OpName): string;
	/** Returns facts about a refusal that the user is shown besides it. Absent or undefined: no facts. */
	refusalFacts?(op: OpName): RefusalFacts | undefined;
}
