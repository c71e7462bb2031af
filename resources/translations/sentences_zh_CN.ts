<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>sentences</name>
    <message>
        <source> ({0} times)</source>
        <translation>（{0} 次）</translation>
    </message>
    <message>
        <source> Did you mean {0}?</source>
        <translation>您是否指 {0}？</translation>
    </message>
    <message>
        <source> It takes about {0} MB more memory; {1} MB are free.</source>
        <translation> 大约需要多占用 {0} MB 内存；可用 {1} MB。</translation>
    </message>
    <message>
        <source> It would still not fit.</source>
        <translation>仍然放不下。</translation>
    </message>
    <message>
        <source> The prompt's own tokens differ already: another vocabulary or template.</source>
        <translation>提示词本身的 token 已经不同：词表或模板不同。</translation>
    </message>
    <message>
        <source> and {0} more</source>
        <translation>等另外 {0} 个</translation>
    </message>
    <message>
        <source> is read.</source>
        <translation>会被读取。</translation>
    </message>
    <message>
        <source> names {0}, which</source>
        <translation> 指明 {0}，它</translation>
    </message>
    <message>
        <source>$ in the middle</source>
        <translation>位于中间的 $</translation>
    </message>
    <message>
        <source>, as the template refuses: {0}</source>
        <translation>，因为模板拒绝：{0}</translation>
    </message>
    <message>
        <source>, column {0}</source>
        <translation>，第 {0} 列</translation>
    </message>
    <message>
        <source>A bound is {0}, not a finite number.</source>
        <translation>某个界限是 {0}，不是有限数。</translation>
    </message>
    <message>
        <source>A bound is {0}, not a number.</source>
        <translation>某个界限是 {0}，不是数字。</translation>
    </message>
    <message>
        <source>A call stands inside the reasoning and ends it.</source>
        <translation>调用出现在思考之中，并结束了思考。</translation>
    </message>
    <message>
        <source>A closing marker is missing.</source>
        <translation>缺少结束标记。</translation>
    </message>
    <message>
        <source>A closing marker stands here without its opener.</source>
        <translation>这里有结束标记，却没有对应的开始标记。</translation>
    </message>
    <message>
        <source>A code fence stands around the call or its arguments.</source>
        <translation>调用或其参数外有代码围栏。</translation>
    </message>
    <message>
        <source>A comma stands before a closing bracket.</source>
        <translation>右括号之前有逗号。</translation>
    </message>
    <message>
        <source>A conversation with a call was refused: {0}</source>
        <translation>含调用的对话被拒绝：{0}</translation>
    </message>
    <message>
        <source>A date or time moved: it was {0} and is {1} now.</source>
        <translation>日期或时间变了：原来是 {0}，现在是 {1}。</translation>
    </message>
    <message>
        <source>A grammar and a response format cannot be enforced together: give one of them.</source>
        <translation>语法和响应格式不能同时强制：请只给出其中一个。</translation>
    </message>
    <message>
        <source>A grammar and tools cannot be enforced together: set the tool choice to none.</source>
        <translation>语法和工具不能同时强制：请将工具选择设为 none。</translation>
    </message>
    <message>
        <source>A grammar can't be combined with response_format: remove one of them.</source>
        <translation>语法不能与 response_format 同时使用：请去掉其中一个。</translation>
    </message>
    <message>
        <source>A grammar can't be combined with tools: remove one, or set tool_choice to none.</source>
        <translation>语法不能与工具同时使用：请去掉其中一个，或将 tool_choice 设为 none。</translation>
    </message>
    <message>
        <source>A graphics card by {0}</source>
        <translation>{0} 的显卡</translation>
    </message>
    <message>
        <source>A key stands without quotes.</source>
        <translation>键没有加引号。</translation>
    </message>
    <message>
        <source>A list as content is {0}.</source>
        <translation>列表形式的正文{0}。</translation>
    </message>
    <message>
        <source>A message's calls are not read.</source>
        <translation>不读取消息的调用。</translation>
    </message>
    <message>
        <source>A prompt with images or sound is fed anew.</source>
        <translation>含图像或声音的提示词会重新送入。</translation>
    </message>
    <message>
        <source>A request is an object, not {0}.</source>
        <translation>请求应为对象，而不是 {0}。</translation>
    </message>
    <message>
        <source>A required argument is missing.</source>
        <translation>缺少必需的参数。</translation>
    </message>
    <message>
        <source>A sampler stage appears twice in the order; each may appear once.</source>
        <translation>某个采样阶段在顺序中出现两次；每个只能出现一次。</translation>
    </message>
    <message>
        <source>A schema is an object in braces.</source>
        <translation>schema 应为花括号中的对象。</translation>
    </message>
    <message>
        <source>A string holds a control character that JSON wants escaped.</source>
        <translation>字符串含有 JSON 要求转义的控制字符。</translation>
    </message>
    <message>
        <source>A string holds an escape that JSON does not know.</source>
        <translation>字符串含有 JSON 不认识的转义。</translation>
    </message>
    <message>
        <source>A string holds its own quote, not escaped.</source>
        <translation>字符串中含有未转义的引号。</translation>
    </message>
    <message>
        <source>A string holds the JSON of the type that the tool declares.</source>
        <translation>字符串装有工具所声明类型的 JSON。</translation>
    </message>
    <message>
        <source>A string stands in other quotes than the format's.</source>
        <translation>字符串使用的引号与格式不同。</translation>
    </message>
    <message>
        <source>A system message was made that says {0}: {1}</source>
        <translation>已生成一条写有 {0} 的系统消息：{1}</translation>
    </message>
    <message>
        <source>A system message's content is {0}.</source>
        <translation>系统消息的正文{0}。</translation>
    </message>
    <message>
        <source>A system text was added.</source>
        <translation>添加了系统文本。</translation>
    </message>
    <message>
        <source>A text as content was accepted.</source>
        <translation>接受文本形式的正文。</translation>
    </message>
    <message>
        <source>A text as content was gone through and not written out.</source>
        <translation>文本形式的正文被遍历但没有写出。</translation>
    </message>
    <message>
        <source>A text as content was refused: {0}</source>
        <translation>文本形式的正文被拒绝：{0}</translation>
    </message>
    <message>
        <source>A tool call cannot be read back for certain: {0}.</source>
        <translation>无法可靠地读回工具调用：{0}。</translation>
    </message>
    <message>
        <source>A tool call was demanded, but how this template writes calls is not known. Choose a format by name, a simpler template, or tool choice none.</source>
        <translation>要求调用工具，但不知道此模板如何书写调用。请按名称选择格式、使用更简单的模板，或将工具选择设为 none。</translation>
    </message>
    <message>
        <source>A tool call was demanded, but no tools were given.</source>
        <translation>要求调用工具，但没有提供工具。</translation>
    </message>
    <message>
        <source>A tool's parameters are no JSON Schema object.</source>
        <translation>某个工具的参数不是 JSON Schema 对象。</translation>
    </message>
    <message>
        <source>A trial rendering ran into a limit, so nothing more was found out: {0}</source>
        <translation>试渲染触及限制，因此没有进一步的结果：{0}</translation>
    </message>
    <message>
        <source>A trigger of the grammar is no valid pattern: {0}.</source>
        <translation>语法的某个触发条件不是有效的模式：{0}。</translation>
    </message>
    <message>
        <source>A value is not of the type that the tool declares; its text is kept.</source>
        <translation>值的类型与工具声明的不同；保留其文本。</translation>
    </message>
    <message>
        <source>A value is written as in Python, not as JSON.</source>
        <translation>值按 Python 而不是 JSON 的写法书写。</translation>
    </message>
    <message>
        <source>Additional properties are not allowed ({0} was unexpected)</source>
        <translation>不允许其他属性（意外的 {0}）</translation>
    </message>
    <message>
        <source>Additional properties are not allowed ({0} were unexpected)</source>
        <translation>不允许其他属性（意外的 {0}）</translation>
    </message>
    <message>
        <source>All {0} tokens stay; the prompt goes on from there.</source>
        <translation>{0} 个 token 全部保留；提示词从那里继续。</translation>
    </message>
    <message>
        <source>An argument is given twice.</source>
        <translation>同一参数出现两次。</translation>
    </message>
    <message>
        <source>An argument stands beside the name, not among the arguments.</source>
        <translation>有一个参数写在名称旁，而不在参数之中。</translation>
    </message>
    <message>
        <source>An argument stands without its name.</source>
        <translation>参数没有名称。</translation>
    </message>
    <message>
        <source>Another conversation begins with the same {0} tokens: they stay.</source>
        <translation>另一个对话以相同的 {0} 个 token 开头：它们得以保留。</translation>
    </message>
    <message>
        <source>Another model was loaded: the cache of the one before is of no use to it.</source>
        <translation>加载了另一个模型：之前模型的缓存对它没有用。</translation>
    </message>
    <message>
        <source>Another program keeps {0} locked ({1}). Close it; what was not saved is tried again.</source>
        <translation>另一个程序锁定了 {0}（{1}）。请关闭它；未保存的内容会再次尝试写入。</translation>
    </message>
    <message>
        <source>Arguments given as an object are {0}.</source>
        <translation>对象形式的参数{0}。</translation>
    </message>
    <message>
        <source>At {0}, max{1} is below min{2}: no value can satisfy it.</source>
        <translation>在 {0} 处，max{1} 小于 min{2}：没有值能满足它。</translation>
    </message>
    <message>
        <source>Between the wrappers the call is written as another family writes it.</source>
        <translation>外层标记之间的调用按另一系列的写法书写。</translation>
    </message>
    <message>
        <source>Between two calls stands {0}.</source>
        <translation>两个调用之间是 {0}。</translation>
    </message>
    <message>
        <source>Blanks at the ends of {0} were cut, as this family needs.</source>
        <translation>已按此系列的要求去掉 {0} 两端的空白。</translation>
    </message>
    <message>
        <source>Blanks stand where the template writes none.</source>
        <translation>模板不写空白的地方出现了空白。</translation>
    </message>
    <message>
        <source>Change settings between conversations rather than within one.</source>
        <translation>在对话之间更改设置，而不要在对话中途更改。</translation>
    </message>
    <message>
        <source>Close Cutaway and start it again: what can be read is then saved to a new file.</source>
        <translation>请关闭并重新启动 Cutaway：届时会把能读取的内容保存到新文件。</translation>
    </message>
    <message>
        <source>Continue the reply before sending the next message.</source>
        <translation>在发送下一条消息之前先续写回复。</translation>
    </message>
    <message>
        <source>Does a turn with reasoning write it before the answer?</source>
        <translation>含思考的一轮是否把思考写在回答之前？</translation>
    </message>
    <message>
        <source>Does it write reasoning before a call?</source>
        <translation>它是否在调用之前写出思考？</translation>
    </message>
    <message>
        <source>Does the answer stand in markers of its own?</source>
        <translation>回答是否有自己的标记？</translation>
    </message>
    <message>
        <source>Does the generation prompt open a reasoning block that history does not keep?</source>
        <translation>生成提示是否开启了历史中不保留的思考块？</translation>
    </message>
    <message>
        <source>Earlier reasoning, word for word</source>
        <translation>之前的思考，逐字保留</translation>
    </message>
    <message>
        <source>Everything is cached; the last token is fed for its logits.</source>
        <translation>全部已在缓存中；只为取得 logits 送入最后一个 token。</translation>
    </message>
    <message>
        <source>Expecting ',' delimiter</source>
        <translation>此处应有分隔符 ','</translation>
    </message>
    <message>
        <source>Expecting ':' delimiter</source>
        <translation>此处应有分隔符 ':'</translation>
    </message>
    <message>
        <source>Expecting property name enclosed in double quotes</source>
        <translation>属性名应使用双引号</translation>
    </message>
    <message>
        <source>Expecting value</source>
        <translation>此处应有值</translation>
    </message>
    <message>
        <source>Extra data</source>
        <translation>有多余的数据</translation>
    </message>
    <message>
        <source>Fetch the file again, or choose another model.</source>
        <translation>请重新获取文件，或选择其他模型。</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>From token {0} on the prompt differs from what the cache holds.</source>
        <translation>从第 {0} 个 token 起，提示词与缓存中的内容不同。</translation>
    </message>
    <message>
        <source>Give the template a fixed date, or leave the hint where it first stood.</source>
        <translation>给模板一个固定的日期，或把提示语留在最初的位置。</translation>
    </message>
    <message>
        <source>How are you?</source>
        <translation>你好吗？</translation>
    </message>
    <message>
        <source>How does a turn with a call differ from one with text?</source>
        <translation>含调用的一轮与纯文本的一轮有何不同？</translation>
    </message>
    <message>
        <source>If it happens again, load the model with safer settings: on the processor alone, without memory mapping, and with a context of at most {0} tokens.</source>
        <translation>如果再次发生，请用更安全的设置加载模型：只用处理器，不用内存映射，上下文最多 {0} 个 token。</translation>
    </message>
    <message>
        <source>Illegal trailing comma before end of array</source>
        <translation>数组结尾之前有多余的逗号</translation>
    </message>
    <message>
        <source>Illegal trailing comma before end of object</source>
        <translation>对象结尾之前有多余的逗号</translation>
    </message>
    <message>
        <source>Images or sound in the prompt differ from those that are held.</source>
        <translation>提示词中的图像或声音与缓存中的不同。</translation>
    </message>
    <message>
        <source>In history the turn goes on with {0}, not {1}.</source>
        <translation>在历史中该轮接着是 {0}，而不是 {1}。</translation>
    </message>
    <message>
        <source>In the history the template writes {0} before the reply, which the generation prompt does not.</source>
        <translation>在历史中模板会在回复之前写出 {0}，而生成提示不会。</translation>
    </message>
    <message>
        <source>In {0} cases {1} reads otherwise, e.g. {2}: {3}</source>
        <translation>在 {0} 个案例中{1}的读法不同，例如 {2}：{3}</translation>
    </message>
    <message>
        <source>Install llama-cpp-python again: pip install --force-reinstall --no-cache-dir llama-cpp-python==0.3.36</source>
        <translation>请重新安装 llama-cpp-python：pip install --force-reinstall --no-cache-dir llama-cpp-python==0.3.36</translation>
    </message>
    <message>
        <source>Invalid \escape: {0}</source>
        <translation>无效的转义 \：{0}</translation>
    </message>
    <message>
        <source>Invalid control character at</source>
        <translation>此处有无效的控制字符</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>Is it raining?</source>
        <translation>下雨了吗？</translation>
    </message>
    <message>
        <source>It changes how the turn begins.</source>
        <translation>它会改变该轮的开头。</translation>
    </message>
    <message>
        <source>It has {0}.</source>
        <translation>它有{0}。</translation>
    </message>
    <message>
        <source>It is cut off.</source>
        <translation>它被截掉。</translation>
    </message>
    <message>
        <source>It is read back all the same.</source>
        <translation>但仍能原样读回。</translation>
    </message>
    <message>
        <source>It reads no other variables.</source>
        <translation>它不读取其他变量。</translation>
    </message>
    <message>
        <source>It reads {0}.</source>
        <translation>它读取 {0}。</translation>
    </message>
    <message>
        <source>It stays.</source>
        <translation>保留。</translation>
    </message>
    <message>
        <source>It writes the call.</source>
        <translation>它会写出该调用。</translation>
    </message>
    <message>
        <source>KV type</source>
        <translation>KV 类型</translation>
    </message>
    <message>
        <source>Keep the end token that the model wrote.</source>
        <translation>保留模型写出的结束 token。</translation>
    </message>
    <message>
        <source>Keep the list of tools, their order and their definitions as they are for a whole conversation.</source>
        <translation>在整个对话中保持工具列表、顺序和定义不变。</translation>
    </message>
    <message>
        <source>Keep the model loaded; its settings can be changed before the first message.</source>
        <translation>保持模型处于加载状态；其设置可在第一条消息之前更改。</translation>
    </message>
    <message>
        <source>Keep the model's own tokens where their text is the same.</source>
        <translation>文本相同时保留模型自己的 token。</translation>
    </message>
    <message>
        <source>Keep the reasoning of earlier replies in the history.</source>
        <translation>在历史中保留之前回复的思考。</translation>
    </message>
    <message>
        <source>Keep the reasoning of finished tool calls in the history.</source>
        <translation>在历史中保留已完成工具调用的思考。</translation>
    </message>
    <message>
        <source>Keep the reply's blanks as the model wrote them.</source>
        <translation>保留模型所写的回复中的空白。</translation>
    </message>
    <message>
        <source>Keep the text of the call as the model wrote it.</source>
        <translation>保留模型所写的调用文本。</translation>
    </message>
    <message>
        <source>Leave out {0}: {1} tokens less.</source>
        <translation>省略{0}：减少 {1} 个 token。</translation>
    </message>
    <message>
        <source>Let idle prefill run: it leaves a checkpoint where the next turn will differ.</source>
        <translation>让空闲预填充运行：它会在下一轮将不同之处留下检查点。</translation>
    </message>
    <message>
        <source>Line {0} is neither JSON nor a signature like `get_weather(city: str, days: int = 1)`: {1}.</source>
        <translation>第 {0} 行既不是 JSON，也不是像 `get_weather(city: str, days: int = 1)` 这样的签名：{1}。</translation>
    </message>
    <message>
        <source>Line {0} is no signature like `get_weather(city: str, days: int = 1)`.</source>
        <translation>第 {0} 行不是像 `get_weather(city: str, days: int = 1)` 这样的签名。</translation>
    </message>
    <message>
        <source>Line {0}, column {1} of the grammar: {2}.</source>
        <translation>语法第 {0} 行第 {1} 列：{2}。</translation>
    </message>
    <message>
        <source>Line {0}: {1} has * or ** parameters, which a tool cannot have.</source>
        <translation>第 {0} 行：{1} 有 * 或 ** 参数，工具不能有这种参数。</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>Load the model again with a context of {0} tokens instead of {1}.</source>
        <translation>用 {0} 个 token（而不是 {1} 个）的上下文重新加载模型。</translation>
    </message>
    <message>
        <source>Load the model with a full cache for its sliding-window layers; it takes more memory.</source>
        <translation>为滑动窗口层使用完整缓存来加载模型；这会占用更多内存。</translation>
    </message>
    <message>
        <source>Load the model with a larger context, or drop old turns in larger steps, less often.</source>
        <translation>用更大的上下文加载模型，或减少次数、每次多去掉一些旧的轮次。</translation>
    </message>
    <message>
        <source>Load the model with a larger context, or leave out old turns, and choose Continue.</source>
        <translation>请用更大的上下文加载模型，或省略旧的轮次，然后选择“继续”。</translation>
    </message>
    <message>
        <source>Load the model with a larger context.</source>
        <translation>用更大的上下文加载模型。</translation>
    </message>
    <message>
        <source>Load the model with a smaller KV type (q8_0): twice as many conversations are kept then.</source>
        <translation>用更小的 KV 类型（q8_0）加载模型：可保留两倍的对话。</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>Message {0} ({1}) was edited.</source>
        <translation>第 {0} 条消息（{1}）已被编辑。</translation>
    </message>
    <message>
        <source>Message {0} was a {1} message and is a {2} message now.</source>
        <translation>第 {0} 条消息原是 {1} 消息，现在是 {2} 消息。</translation>
    </message>
    <message>
        <source>No choice of properties satisfies {0}.</source>
        <translation>没有任何属性组合能满足 {0}。</translation>
    </message>
    <message>
        <source>No effort level is read.</source>
        <translation>不读取思考强度。</translation>
    </message>
    <message>
        <source>No model is loaded, so nobody can answer. Your message is kept: open a model, then choose Regenerate.</source>
        <translation>没有加载模型，因此无法回答。您的消息已保留：请打开一个模型，然后选择“重新生成”。</translation>
    </message>
    <message>
        <source>No model is loaded, so there is nothing to measure.</source>
        <translation>没有加载模型，因此没有可测量的内容。</translation>
    </message>
    <message>
        <source>No model is loaded. Open one and send again.</source>
        <translation>没有加载模型。请打开一个后重新发送。</translation>
    </message>
    <message>
        <source>No model is loaded. Open one first.</source>
        <translation>没有加载模型。请先打开一个。</translation>
    </message>
    <message>
        <source>No model is loaded. Open the one that made this turn.</source>
        <translation>没有加载模型。请打开生成这一轮的模型。</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或文件夹</translation>
    </message>
    <message>
        <source>No tool of this name is declared, so the text is content.</source>
        <translation>没有声明这个名称的工具，因此该文本视为正文。</translation>
    </message>
    <message>
        <source>No turn wrote that message, so there is none to export.</source>
        <translation>该消息不是由任何一轮写出的，因此没有可导出的轮次。</translation>
    </message>
    <message>
        <source>No value of {0}/{1} fits its other keywords.</source>
        <translation>{0}/{1} 中没有值符合其他关键字。</translation>
    </message>
    <message>
        <source>No {0} lies within the bounds at {1}.</source>
        <translation>{1} 处的界限内没有 {0}。</translation>
    </message>
    <message>
        <source>Nothing: the state was deleted and is made again. If it happens often, look at the disk of the cache folder.</source>
        <translation>无需处理：该状态已删除并会重新生成。如果经常发生，请检查缓存文件夹所在的磁盘。</translation>
    </message>
    <message>
        <source>Old conversations are rendered with the new one.</source>
        <translation>旧对话将用新模板渲染。</translation>
    </message>
    <message>
        <source>One message was</source>
        <translation>一条消息</translation>
    </message>
    <message>
        <source>Only a message of the model's can be continued; choose Regenerate to have it answered.</source>
        <translation>只能续写模型的消息；如需回答请选择“重新生成”。</translation>
    </message>
    <message>
        <source>Only the first call is written.</source>
        <translation>只写出第一个调用。</translation>
    </message>
    <message>
        <source>Open a model first: its vocabulary is what is tried.</source>
        <translation>请先打开一个模型：试验的是它的词表。</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Put what changes from turn to turn into the newest message, not into the system text.</source>
        <translation>把每轮变化的内容放进最新的消息，而不是系统文本。</translation>
    </message>
    <message>
        <source>Put what is inserted into the newest message.</source>
        <translation>把要插入的内容放进最新的消息。</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Regenerate below the last result to let it go on, or raise the limit.</source>
        <translation>在最后一个结果下方重新生成以继续，或提高上限。</translation>
    </message>
    <message>
        <source>Repeat in the history what the generation prompt wrote before the reply.</source>
        <translation>在历史中重复生成提示在回复之前写出的内容。</translation>
    </message>
    <message>
        <source>Send nothing; the message stays, and you can shorten it.</source>
        <translation>不发送；消息保留，您可以缩短它。</translation>
    </message>
    <message>
        <source>Send the text in the normal form that the prompt uses (line feeds, composed characters).</source>
        <translation>按提示词使用的规范形式发送文本（换行符、组合字符）。</translation>
    </message>
    <message>
        <source>Set {0}: the template then keeps the reasoning of earlier replies.</source>
        <translation>设置 {0}：模板就会保留之前回复的思考。</translation>
    </message>
    <message>
        <source>Shorten {0}: about {1} tokens less.</source>
        <translation>缩短{0}：约减少 {1} 个 token。</translation>
    </message>
    <message>
        <source>Text follows the end of the turn.</source>
        <translation>该轮结束之后还有文本。</translation>
    </message>
    <message>
        <source>Text that fits nowhere in the call is shown as content.</source>
        <translation>调用中无处可放的文本显示为正文。</translation>
    </message>
    <message>
        <source>That token ends the reply: nothing would follow it.</source>
        <translation>该 token 结束回复：其后不会有内容。</translation>
    </message>
    <message>
        <source>The CPU is used instead.</source>
        <translation>改用处理器。</translation>
    </message>
    <message>
        <source>The JSON breaks at line {0}, column {1}: {2}.</source>
        <translation>JSON 在第 {0} 行第 {1} 列出错：{2}。</translation>
    </message>
    <message>
        <source>The JSON breaks at {0}: {1}.</source>
        <translation>JSON 在 {0} 处出错：{1}。</translation>
    </message>
    <message>
        <source>The JSON is nested too deeply to be a schema.</source>
        <translation>JSON 嵌套太深，不是 schema。</translation>
    </message>
    <message>
        <source>The JSON is nested too deeply to be a tool definition.</source>
        <translation>JSON 嵌套太深，不是工具定义。</translation>
    </message>
    <message>
        <source>The LoRA adapter {0} could not be loaded: {1}. Load without it.</source>
        <translation>无法加载 LoRA 适配器 {0}：{1}。请不用它加载。</translation>
    </message>
    <message>
        <source>The LoRA adapter {0} is not there. Choose it again or load without it.</source>
        <translation>找不到 LoRA 适配器 {0}。请重新选择，或不用它加载。</translation>
    </message>
    <message>
        <source>The anchor {0} at {1} is not in the document.</source>
        <translation>{1} 处的锚点 {0} 不在文档中。</translation>
    </message>
    <message>
        <source>The argument {0} of {1} allows no value.</source>
        <translation>{1} 的参数 {0} 不允许任何值。</translation>
    </message>
    <message>
        <source>The arguments are a string that holds JSON.</source>
        <translation>参数是装有 JSON 的字符串。</translation>
    </message>
    <message>
        <source>The arguments are nested too deeply.</source>
        <translation>参数嵌套太深。</translation>
    </message>
    <message>
        <source>The arguments are no JSON object.</source>
        <translation>参数不是 JSON 对象。</translation>
    </message>
    <message>
        <source>The arguments are no valid JSON: {0}.</source>
        <translation>参数不是有效的 JSON：{0}。</translation>
    </message>
    <message>
        <source>The arguments cannot be checked against the schema of {0}: {1}.</source>
        <translation>无法按 {0} 的 schema 检查参数：{1}。</translation>
    </message>
    <message>
        <source>The arguments must be a JSON object.</source>
        <translation>参数必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>The arguments were read as {0}.</source>
        <translation>参数被读成 {0}。</translation>
    </message>
    <message>
        <source>The assistant's turn begins with {0}.</source>
        <translation>助手的一轮以 {0} 开始。</translation>
    </message>
    <message>
        <source>The assistant's turn has no header.</source>
        <translation>助手的一轮没有开头标记。</translation>
    </message>
    <message>
        <source>The cache had been prepared for another next message than this.</source>
        <translation>缓存此前是为另一条后续消息准备的。</translation>
    </message>
    <message>
        <source>The cache was emptied because {0} changed.</source>
        <translation>因为 {0} 改变，缓存已清空。</translation>
    </message>
    <message>
        <source>The call has a key that the format does not know.</source>
        <translation>调用含有格式不认识的键。</translation>
    </message>
    <message>
        <source>The call has no arguments; an empty object is taken.</source>
        <translation>调用没有参数；按空对象处理。</translation>
    </message>
    <message>
        <source>The call is written anew: the model wrote {0}, the history has {1}.</source>
        <translation>调用被重新书写：模型写的是 {0}，历史中是 {1}。</translation>
    </message>
    <message>
        <source>The call of {0} has its result already, so its arguments stay.</source>
        <translation>{0} 的调用已有结果，因此参数保持不变。</translation>
    </message>
    <message>
        <source>The call of {0} has its result already; edit that message instead.</source>
        <translation>{0} 的调用已有结果；请改为编辑那条消息。</translation>
    </message>
    <message>
        <source>The call stands in another wrapper than the format's.</source>
        <translation>调用的外层标记与格式不同。</translation>
    </message>
    <message>
        <source>The call uses another key than the format's.</source>
        <translation>调用使用的键与格式不同。</translation>
    </message>
    <message>
        <source>The call's braces are doubled.</source>
        <translation>调用的花括号重复了。</translation>
    </message>
    <message>
        <source>The call's head is not spelled as the format has it.</source>
        <translation>调用开头的拼写与格式不同。</translation>
    </message>
    <message>
        <source>The call's opener is missing.</source>
        <translation>缺少调用的开始标记。</translation>
    </message>
    <message>
        <source>The calls of message {0} are not written as they were.</source>
        <translation>第 {0} 条消息的调用与原来的写法不同。</translation>
    </message>
    <message>
        <source>The content was read as {0}.</source>
        <translation>正文被读成 {0}。</translation>
    </message>
    <message>
        <source>The context is full, so the reply ends here.</source>
        <translation>上下文已满，回复到此结束。</translation>
    </message>
    <message>
        <source>The context of {0} tokens is full.</source>
        <translation>{0} 个 token 的上下文已满。</translation>
    </message>
    <message>
        <source>The conversation ends here now; {0} tokens after it are given up.</source>
        <translation>对话现在到此为止；其后的 {0} 个 token 被放弃。</translation>
    </message>
    <message>
        <source>The conversation goes on differently from message {0} on.</source>
        <translation>从第 {0} 条消息起对话的走向不同。</translation>
    </message>
    <message>
        <source>The conversation now ends before message {0}.</source>
        <translation>对话现在在第 {0} 条消息之前结束。</translation>
    </message>
    <message>
        <source>The default model could not be downloaded ({0}). Check the network and try again, or open any other GGUF file.</source>
        <translation>无法下载默认模型（{0}）。请检查网络后重试，或打开任何其他 GGUF 文件。</translation>
    </message>
    <message>
        <source>The default model in {0} has the SHA-256 {1}, not the expected {2}; it was not kept.</source>
        <translation>{0} 中默认模型的 SHA-256 是 {1}，而不是预期的 {2}；没有保留。</translation>
    </message>
    <message>
        <source>The definition has {0} characters; {1} is the most that is read.</source>
        <translation>定义有 {0} 个字符；最多读取 {1} 个。</translation>
    </message>
    <message>
        <source>The definition of {0} changed.</source>
        <translation>{0} 的定义已改变。</translation>
    </message>
    <message>
        <source>The disk is nearly full, so a conversation's state is not written to it.</source>
        <translation>磁盘几乎已满，因此没有写入对话状态。</translation>
    </message>
    <message>
        <source>The disk that holds {0} is full or cannot be written ({1}). Free some space; what was not saved is kept in memory and written as soon as it can be.</source>
        <translation>{0} 所在的磁盘已满或无法写入（{1}）。请释放空间；未保存的内容保留在内存中，一旦可以就会写入。</translation>
    </message>
    <message>
        <source>The end of the message is written differently when it is no longer the last: {0} became {1}.</source>
        <translation>消息不再是最后一条时，其结尾的写法不同：{0} 变成了 {1}。</translation>
    </message>
    <message>
        <source>The end of the tool results is written differently once the conversation goes on: {0} became {1}.</source>
        <translation>对话继续后，工具结果结尾的写法不同：{0} 变成了 {1}。</translation>
    </message>
    <message>
        <source>The engine did not start: {0}</source>
        <translation>引擎没有启动：{0}</translation>
    </message>
    <message>
        <source>The engine met an error that it does not know ({0}: {1}). Try again.</source>
        <translation>引擎遇到未知错误（{0}：{1}）。请重试。</translation>
    </message>
    <message>
        <source>The file did not open within a minute. Choose another model.</source>
        <translation>该文件一分钟内没有打开。请选择其他模型。</translation>
    </message>
    <message>
        <source>The file has the messages without an assistant mask: the model has not replied yet.</source>
        <translation>文件中只有消息，没有助手掩码：模型尚未回复。</translation>
    </message>
    <message>
        <source>The file has the messages without the assistant mask: open a model, whose template writes the text.</source>
        <translation>文件中只有消息，没有助手掩码：请打开一个模型，由其模板写出文本。</translation>
    </message>
    <message>
        <source>The file has the messages without the assistant mask: this template's text could not be told apart.</source>
        <translation>文件中只有消息，没有助手掩码：无法区分此模板的文本。</translation>
    </message>
    <message>
        <source>The file holds no turn of Cutaway's: the key `cutaway` with the value `turn` is missing.</source>
        <translation>该文件不是 Cutaway 的轮次文件：缺少值为 `turn` 的键 `cutaway`。</translation>
    </message>
    <message>
        <source>The file is newer than this llama.cpp: update the program, or choose another model.</source>
        <translation>该文件比此 llama.cpp 更新：请更新程序，或选择其他模型。</translation>
    </message>
    <message>
        <source>The format has no tool calls.</source>
        <translation>该格式没有工具调用。</translation>
    </message>
    <message>
        <source>The format {0} has no tool calls.</source>
        <translation>格式 {0} 没有工具调用。</translation>
    </message>
    <message>
        <source>The generation prompt is {0}; the model's own template ends with {1}.</source>
        <translation>生成提示是 {0}；模型自己的模板以 {1} 结尾。</translation>
    </message>
    <message>
        <source>The generation prompt wrote {0} before the reply; in the history the template does not repeat all of it.</source>
        <translation>生成提示在回复之前写出了 {0}；在历史中模板没有全部重复。</translation>
    </message>
    <message>
        <source>The grammar allows none of the tokens that the model could go on with. The reply ends here.</source>
        <translation>模型可能接续的 token 都不符合语法。回复到此结束。</translation>
    </message>
    <message>
        <source>The model's last output is not numbers (NaN), so no token can be chosen. The file may be damaged, or its weights overflow the KV type or the device: load it with other settings, or fetch it again.</source>
        <translation>模型最后的输出不是数值（NaN），因此无法选出 token。文件可能已损坏，或其权重超出了 KV 类型或设备的范围：请用其他设置加载，或重新获取文件。</translation>
    </message>
    <message>
        <source>The grammar cannot be compiled: {0}.</source>
        <translation>语法无法编译：{0}。</translation>
    </message>
    <message>
        <source>The grammar has no rule named root; llama.cpp starts there.</source>
        <translation>语法中没有名为 root 的规则；llama.cpp 从那里开始。</translation>
    </message>
    <message>
        <source>The grammar holds a NUL character, which llama.cpp cannot read.</source>
        <translation>语法含有 NUL 字符，llama.cpp 无法读取。</translation>
    </message>
    <message>
        <source>The grammar is nested more than {0} brackets deep, which llama.cpp cannot read.</source>
        <translation>语法的括号嵌套超过 {0} 层，llama.cpp 无法读取。</translation>
    </message>
    <message>
        <source>The grammar is to wait for a trigger, but it was given none.</source>
        <translation>语法要等待触发条件，但没有给出。</translation>
    </message>
    <message>
        <source>The grammar is to wait for the token {0}, which this model does not have.</source>
        <translation>语法要等待 token {0}，但此模型没有它。</translation>
    </message>
    <message>
        <source>The grammar is too ambiguous: {0} readings at character {1}.</source>
        <translation>语法歧义过多：在第 {1} 个字符处有 {0} 种读法。</translation>
    </message>
    <message>
        <source>The graphics card {0}</source>
        <translation>显卡 {0}</translation>
    </message>
    <message>
        <source>The graphics of this Mac</source>
        <translation>这台 Mac 的图形处理器</translation>
    </message>
    <message>
        <source>The id was read as {0}.</source>
        <translation>id 被读成 {0}。</translation>
    </message>
    <message>
        <source>The input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>The last prefill was stopped before anything of it could be kept.</source>
        <translation>上次预填充在能保留任何内容之前被停止。</translation>
    </message>
    <message>
        <source>The last prefill was stopped; the rest of its prompt is fed now.</source>
        <translation>上次预填充被停止；现在送入提示词的其余部分。</translation>
    </message>
    <message>
        <source>The list of tools changed: {0}.</source>
        <translation>工具列表已改变：{0}。</translation>
    </message>
    <message>
        <source>The logit bias of token {0} cannot be used: the model has no such token.</source>
        <translation>token {0} 的 logit 偏置无法使用：模型没有这样的 token。</translation>
    </message>
    <message>
        <source>The logit bias of token {0} is {1}; it may be ±{2} at most.</source>
        <translation>token {0} 的 logit 偏置为 {1}；最多为 ±{2}。</translation>
    </message>
    <message>
        <source>The message ends with a tool call: enter the call's result, and the model goes on.</source>
        <translation>消息以工具调用结尾：输入调用的结果后，模型会继续。</translation>
    </message>
    <message>
        <source>The message is still being written. Stop it first.</source>
        <translation>消息仍在生成。请先停止。</translation>
    </message>
    <message>
        <source>The message made no call with the id {0}.</source>
        <translation>该消息没有 id 为 {0} 的调用。</translation>
    </message>
    <message>
        <source>The message that this one answers was deleted.</source>
        <translation>这条消息所回答的消息已被删除。</translation>
    </message>
    <message>
        <source>The message's header is not spelled as the format has it.</source>
        <translation>消息开头的拼写与格式不同。</translation>
    </message>
    <message>
        <source>The messages could not be told apart from the template's text; all of it counts as input.</source>
        <translation>无法区分消息与模板自身的文本；全部视为输入。</translation>
    </message>
    <message>
        <source>The model could not be loaded with a context of {0} tokens, so nothing was sent. It was loaded as before: leave out old turns, or shorten the conversation.</source>
        <translation>无法以 {0} 个 token 的上下文加载模型，因此未发送任何内容。模型已按原样加载：请省略较早的轮次，或缩短对话。</translation>
    </message>
    <message>
        <source>The model ended its reply with {0}; in the history that place is {1}.</source>
        <translation>模型以 {0} 结束回复；在历史中该处是 {1}。</translation>
    </message>
    <message>
        <source>The model has called tools {0} times in a row, which is the limit you set.</source>
        <translation>模型已连续调用工具 {0} 次，达到您设定的上限。</translation>
    </message>
    <message>
        <source>The model was loaded again, with an empty cache.</source>
        <translation>模型已重新加载，缓存为空。</translation>
    </message>
    <message>
        <source>The model's state cannot be rolled back to token {0}, so that {1}.</source>
        <translation>模型状态无法回退到第 {0} 个 token，因此{1}。</translation>
    </message>
    <message>
        <source>The model's template cannot be used: {0}</source>
        <translation>模型的模板无法使用：{0}</translation>
    </message>
    <message>
        <source>The name of an offered tool is not read.</source>
        <translation>不读取所提供工具的名称。</translation>
    </message>
    <message>
        <source>The name was read as {0}.</source>
        <translation>名称被读成 {0}。</translation>
    </message>
    <message>
        <source>The output ends inside the call.</source>
        <translation>输出在调用中途结束。</translation>
    </message>
    <message>
        <source>The pattern at {0} is not a string.</source>
        <translation>{0} 处的 pattern 不是字符串。</translation>
    </message>
    <message>
        <source>The program ended {0}. Your conversations are whole.</source>
        <translation>程序{0}意外结束。您的对话完好无损。</translation>
    </message>
    <message>
        <source>The prompt ends here; the {0} tokens after it are given up.</source>
        <translation>提示词到此为止；其后的 {0} 个 token 被放弃。</translation>
    </message>
    <message>
        <source>The prompt has {0} tokens and the context holds {1}, so nothing was sent. Leave out old turns, shorten the conversation, or load the model with a larger context.</source>
        <translation>提示词有 {0} 个 token，而上下文可容纳 {1} 个，因此没有发送。请省略旧的轮次、缩短对话，或用更大的上下文加载模型。</translation>
    </message>
    <message>
        <source>The prompt has {0} tokens and the context holds {1}. Shorten the conversation, or load the model with a larger context.</source>
        <translation>提示词有 {0} 个 token，而上下文可容纳 {1} 个。请缩短对话，或用更大的上下文加载模型。</translation>
    </message>
    <message>
        <source>The prompt holds tokens that this model does not have: it was made for another model.</source>
        <translation>提示词含有此模型没有的 token：它是为另一个模型制作的。</translation>
    </message>
    <message>
        <source>The prompt is empty: the model needs at least one token to go on from.</source>
        <translation>提示词为空：模型至少需要一个 token 才能继续。</translation>
    </message>
    <message>
        <source>The reasoning of an earlier turn is {0}.</source>
        <translation>之前一轮的思考{0}。</translation>
    </message>
    <message>
        <source>The reasoning of message {0} was not sent again.</source>
        <translation>第 {0} 条消息的思考没有再次发送。</translation>
    </message>
    <message>
        <source>The reasoning was read as {0}.</source>
        <translation>思考被读成 {0}。</translation>
    </message>
    <message>
        <source>The reference at {0} is not a string.</source>
        <translation>{0} 处的引用不是字符串。</translation>
    </message>
    <message>
        <source>The reference {0} at {1} leaves the document; nothing is fetched.</source>
        <translation>{1} 处的引用 {0} 指向文档之外；不会下载任何内容。</translation>
    </message>
    <message>
        <source>The reference {0} at {1} points at nothing.</source>
        <translation>{1} 处的引用 {0} 没有指向任何内容。</translation>
    </message>
    <message>
        <source>The reply goes on with another token here; what followed it is given up.</source>
        <translation>回复在此处接上另一个 token；其后的内容被放弃。</translation>
    </message>
    <message>
        <source>The reply has {0} tokens; there is none with the number {1}.</source>
        <translation>回复有 {0} 个 token；没有第 {1} 个。</translation>
    </message>
    <message>
        <source>The reply in the history is shorter than the one that the model wrote.</source>
        <translation>历史中的回复比模型所写的短。</translation>
    </message>
    <message>
        <source>The reply is no longer part of the conversation.</source>
        <translation>该回复已不在对话中。</translation>
    </message>
    <message>
        <source>The reply is no longer part of the conversation: a {0} message stands in its place.</source>
        <translation>该回复已不在对话中：其位置现在是一条 {0} 消息。</translation>
    </message>
    <message>
        <source>The reply was cut at your stop text {0}, which the cache holds behind it.</source>
        <translation>回复在您的停止文本 {0} 处被截断，缓存中它仍留在回复之后。</translation>
    </message>
    <message>
        <source>The reply's reasoning was not sent back with the conversation.</source>
        <translation>该回复的思考没有随对话发回。</translation>
    </message>
    <message>
        <source>The response format is json_schema, but it holds no json_schema.schema.</source>
        <translation>响应格式为 json_schema，但其中没有 json_schema.schema。</translation>
    </message>
    <message>
        <source>The response format {0} is none of text, json_object and json_schema.</source>
        <translation>响应格式 {0} 不是 text、json_object 或 json_schema。</translation>
    </message>
    <message>
        <source>The response template does not say what closes the reasoning.</source>
        <translation>响应模板没有说明思考以什么结束。</translation>
    </message>
    <message>
        <source>The response template is no object with fields.</source>
        <translation>响应模板不是带字段的对象。</translation>
    </message>
    <message>
        <source>The response template reads tool calls as {0}, which no format here says.</source>
        <translation>响应模板按 {0} 读取工具调用，而这里没有任何格式这样写。</translation>
    </message>
    <message>
        <source>The response template's field {0} is no object.</source>
        <translation>响应模板的字段 {0} 不是对象。</translation>
    </message>
    <message>
        <source>The response template's pattern for a call captures more than a name.</source>
        <translation>响应模板的调用模式捕获了名称以外的内容。</translation>
    </message>
    <message>
        <source>The response template's pattern for a call captures no name.</source>
        <translation>响应模板的调用模式没有捕获名称。</translation>
    </message>
    <message>
        <source>The response template's pattern for an argument captures no key and value in this order.</source>
        <translation>响应模板的参数模式没有依次捕获键和值。</translation>
    </message>
    <message>
        <source>The response template's pattern is no text.</source>
        <translation>响应模板的模式不是文本。</translation>
    </message>
    <message>
        <source>The response template's pattern {0} is more than literals and named groups.</source>
        <translation>响应模板的模式 {0} 不只含字面文本和命名分组。</translation>
    </message>
    <message>
        <source>The response template's {0} is neither a text nor a list of texts.</source>
        <translation>响应模板的 {0} 既不是文本，也不是文本列表。</translation>
    </message>
    <message>
        <source>The result has {0} characters; {1} is the most that is sent. Shorten it.</source>
        <translation>结果有 {0} 个字符；最多发送 {1} 个。请缩短。</translation>
    </message>
    <message>
        <source>The results from {0} on come in another order than their calls, and this template tells them apart by their order only; the model may take one for the other.</source>
        <translation>从 {0} 起的结果与调用的顺序不同，而此模板只按顺序区分；模型可能会混淆。</translation>
    </message>
    <message>
        <source>The results from {0} on were put in the order of their calls, as this family needs.</source>
        <translation>从 {0} 起的结果已按调用的顺序排列，这是此系列所需要的。</translation>
    </message>
    <message>
        <source>The rule {0} begins with itself (left recursion).</source>
        <translation>规则 {0} 以自身开头（左递归）。</translation>
    </message>
    <message>
        <source>The rule {0} begins with itself (left recursion); llama.cpp refuses that.</source>
        <translation>规则 {0} 以自身开头（左递归）；llama.cpp 不接受。</translation>
    </message>
    <message>
        <source>The rule {0} uses {1}, which is not defined.</source>
        <translation>规则 {0} 使用了未定义的 {1}。</translation>
    </message>
    <message>
        <source>The runtime in {0} has no readable runtime.json ({1}). Install it again.</source>
        <translation>{0} 中的运行库没有可读的 runtime.json（{1}）。请重新安装。</translation>
    </message>
    <message>
        <source>The runtime {0} cannot be used: {1}</source>
        <translation>运行库 {0} 无法使用：{1}</translation>
    </message>
    <message>
        <source>The runtime {0} cannot run here (its trial ended with {1}).</source>
        <translation>运行库 {0} 无法在此运行（试用以 {1} 结束）。</translation>
    </message>
    <message>
        <source>The runtime {0} could not be tried: {1}.</source>
        <translation>无法试用运行库 {0}：{1}。</translation>
    </message>
    <message>
        <source>The runtime {0} did not answer within {1} s.</source>
        <translation>运行库 {0} 在 {1} 秒内没有响应。</translation>
    </message>
    <message>
        <source>The runtime {0} is for {1} on {2}, this is {3} on {4}.</source>
        <translation>运行库 {0} 适用于 {2} 上的 {1}，而这里是 {4} 上的 {3}。</translation>
    </message>
    <message>
        <source>The runtime {0} lacks {1}. Install it again.</source>
        <translation>运行库 {0} 缺少 {1}。请重新安装。</translation>
    </message>
    <message>
        <source>The runtime {0} was built for llama-cpp-python {1}; this program needs {2}.</source>
        <translation>运行库 {0} 是为 llama-cpp-python {1} 构建的；此程序需要 {2}。</translation>
    </message>
    <message>
        <source>The runtime's name {0} cannot be a folder's. Install it again.</source>
        <translation>运行库的名称 {0} 不能作为文件夹名。请重新安装。</translation>
    </message>
    <message>
        <source>The same conversation is answered again; the earlier reply is given up.</source>
        <translation>对同一对话重新作答；之前的回复被放弃。</translation>
    </message>
    <message>
        <source>The same prompt is sent again; what the model wrote after it is given up.</source>
        <translation>再次发送同一提示词；模型在其后所写的内容被放弃。</translation>
    </message>
    <message>
        <source>The same tools come in another order.</source>
        <translation>相同的工具换了顺序。</translation>
    </message>
    <message>
        <source>The same {0} tokens.</source>
        <translation>{0} 个 token 完全相同。</translation>
    </message>
    <message>
        <source>The grammar waits for a pattern of the whole reply, which is over {0} bytes now. The reply ends here.</source>
        <translation>语法在等待匹配整个回复的模式，而回复现已超过 {0} 字节。回复到此结束。</translation>
    </message>
    <message>
        <source>The sampler chain chose no token: its stages leave none. Loosen its settings.</source>
        <translation>采样链没有选出 token：各阶段没有留下任何候选。请放宽设置。</translation>
    </message>
    <message>
        <source>The sampler setting temperature is {0}; use 0 below {1}.</source>
        <translation>采样设置 temperature 为 {0}；低于 {1} 时请用 0。</translation>
    </message>
    <message>
        <source>The sampler setting {0} is {1}; it must be a number from {2} to {3}.</source>
        <translation>采样设置 {0} 为 {1}；必须是 {2} 到 {3} 之间的数字。</translation>
    </message>
    <message>
        <source>The saved state of a conversation cannot be used, so its prompt is fed again: {0}.</source>
        <translation>无法使用某个对话已保存的状态，因此其提示词重新送入：{0}。</translation>
    </message>
    <message>
        <source>The saved state of this conversation could not be restored, so all of it is fed again.</source>
        <translation>无法恢复此对话已保存的状态，因此全部重新送入。</translation>
    </message>
    <message>
        <source>The schema at {0} allows no type: no value can satisfy it.</source>
        <translation>位于 {0} 的 schema 不允许任何类型：没有值能满足它。</translation>
    </message>
    <message>
        <source>The schema at {0} denies everything: no value can satisfy it.</source>
        <translation>位于 {0} 的 schema 否定一切：没有值能满足它。</translation>
    </message>
    <message>
        <source>The schema at {0} is false: no value can satisfy it.</source>
        <translation>位于 {0} 的 schema 为 false：没有值能满足它。</translation>
    </message>
    <message>
        <source>The schema at {0} is too deep or too large to be made into a grammar.</source>
        <translation>位于 {0} 的 schema 太深或太大，无法转为语法。</translation>
    </message>
    <message>
        <source>The schema at {0} is too deep to be written as tags.</source>
        <translation>位于 {0} 的 schema 嵌套太深，无法写成标签。</translation>
    </message>
    <message>
        <source>The schema at {0} is {1}, not an object or a boolean.</source>
        <translation>位于 {0} 的 schema 是 {1}，不是对象或布尔值。</translation>
    </message>
    <message>
        <source>The schema at {0}/allOf/{1} is false: no value can satisfy it.</source>
        <translation>位于 {0}/allOf/{1} 的 schema 为 false：没有值能满足它。</translation>
    </message>
    <message>
        <source>The schema has {0} characters; {1} is the most that is read.</source>
        <translation>schema 有 {0} 个字符；最多读取 {1} 个。</translation>
    </message>
    <message>
        <source>The schema of {0} is itself not valid: {1}</source>
        <translation>{0} 的 schema 本身无效：{1}</translation>
    </message>
    <message>
        <source>The schema of {0} points to {1}, which is not part of it.</source>
        <translation>{0} 的 schema 指向 {1}，但它不在其中。</translation>
    </message>
    <message>
        <source>The schema's references lead in a circle.</source>
        <translation>schema 的引用形成了循环。</translation>
    </message>
    <message>
        <source>The second of two calls is {0}{1}.</source>
        <translation>两个调用中的第二个{0}{1}。</translation>
    </message>
    <message>
        <source>The sliding window has moved past token {0}, so that {1}.</source>
        <translation>滑动窗口已移过第 {0} 个 token，因此{1}。</translation>
    </message>
    <message>
        <source>The store was damaged. {0} conversations with {1} messages were saved from it; the damaged file is kept as {2}.</source>
        <translation>存储曾损坏。已从中救回 {0} 个对话共 {1} 条消息；损坏的文件保留为 {2}。</translation>
    </message>
    <message>
        <source>The store {0} could not do this: {1}.</source>
        <translation>存储 {0} 无法完成此操作：{1}。</translation>
    </message>
    <message>
        <source>The store {0} is damaged.</source>
        <translation>存储 {0} 已损坏。</translation>
    </message>
    <message>
        <source>The strength of the LoRA adapter {0} is {1}; it must be a number.</source>
        <translation>LoRA 适配器 {0} 的强度是 {1}；必须是数字。</translation>
    </message>
    <message>
        <source>The system text was edited.</source>
        <translation>系统文本已被编辑。</translation>
    </message>
    <message>
        <source>The system text was taken away.</source>
        <translation>系统文本已移除。</translation>
    </message>
    <message>
        <source>The template ({0}) is empty. ChatML is used instead, which this model may never have seen.</source>
        <translation>模板（{0}）为空。改用 ChatML，此模型可能从未见过它。</translation>
    </message>
    <message>
        <source>The template adds the variable {0} to a text, but it is not given; transformers refuses that, here it adds nothing.</source>
        <translation>模板把变量 {0} 拼接到文本，但该变量没有给出；transformers 会拒绝，这里则不添加任何内容。</translation>
    </message>
    <message>
        <source>The template changes a {0} that it made, with {1}; transformers refuses that, here it is done.</source>
        <translation>模板用 {1} 修改了自己创建的 {0}；transformers 会拒绝，这里则照做。</translation>
    </message>
    <message>
        <source>The template changes the message: {0}</source>
        <translation>模板改动了消息：{0}</translation>
    </message>
    <message>
        <source>The template drops the reasoning {0}, now that a newer message follows.</source>
        <translation>有了更新的消息后，模板去掉了{0}思考。</translation>
    </message>
    <message>
        <source>The template fails: {0}</source>
        <translation>模板出错：{0}</translation>
    </message>
    <message>
        <source>The template gives tojson a sequence that is still being made (a filter's result without |list); transformers refuses that, here it is written as a list.</source>
        <translation>模板把尚在生成的序列（没有 |list 的过滤器结果）交给 tojson；transformers 会拒绝，这里写成列表。</translation>
    </message>
    <message>
        <source>The template in {0} is another one than when it was last used.</source>
        <translation>{0} 中的模板与上次使用时不同。</translation>
    </message>
    <message>
        <source>The template itself writes the BOS token twice at the start.</source>
        <translation>模板自身在开头写了两次 BOS token。</translation>
    </message>
    <message>
        <source>The template leaves out {0}.</source>
        <translation>模板省略了{0}。</translation>
    </message>
    <message>
        <source>The template leaves the reasoning of earlier replies out of the history.</source>
        <translation>模板没有把之前回复的思考写入历史。</translation>
    </message>
    <message>
        <source>The template moved what it writes by itself: {0} became {1}.</source>
        <translation>模板移动了自己写出的内容：{0} 变成了 {1}。</translation>
    </message>
    <message>
        <source>The template picks something at random; here it gets the first, so that the prompt stays.</source>
        <translation>模板会随机选取；这里总是取第一个，使提示词保持不变。</translation>
    </message>
    <message>
        <source>The template refuses a message with a tool call: {0}</source>
        <translation>模板拒绝含工具调用的消息：{0}</translation>
    </message>
    <message>
        <source>The template refuses it.</source>
        <translation>模板拒绝了它。</translation>
    </message>
    <message>
        <source>The template writes a string between quotes without escaping what is in it.</source>
        <translation>模板把字符串放在引号中，却不转义其中的内容。</translation>
    </message>
    <message>
        <source>The template writes another introduction by itself: {0} became {1}.</source>
        <translation>模板自行写出了另一段开场：{0} 变成了 {1}。</translation>
    </message>
    <message>
        <source>The template writes its hint {0} at another place now.</source>
        <translation>模板现在把提示语 {0} 写在另一处。</translation>
    </message>
    <message>
        <source>The template writes nothing of a tool call, so how one looks is unknown.</source>
        <translation>模板不输出任何工具调用内容，因此无法得知调用的写法。</translation>
    </message>
    <message>
        <source>The template writes nothing of a tool call.</source>
        <translation>模板不输出任何工具调用内容。</translation>
    </message>
    <message>
        <source>The template writes reasoning and answer without a marker between them.</source>
        <translation>模板写出的思考与回答之间没有标记。</translation>
    </message>
    <message>
        <source>The template writes the answer inside an open reasoning block.</source>
        <translation>模板把回答写在未结束的思考块里。</translation>
    </message>
    <message>
        <source>The template writes the answer where reasoning stands.</source>
        <translation>模板把回答写在思考所在的位置。</translation>
    </message>
    <message>
        <source>The template writes two different messages alike: {0}</source>
        <translation>模板把两条不同的消息写成一样：{0}</translation>
    </message>
    <message>
        <source>The template writes {0} and the tokenizer adds it too; tokenise the text without special tokens.</source>
        <translation>模板写出了 {0}，分词器也会添加它；请在不添加特殊 token 的情况下分词。</translation>
    </message>
    <message>
        <source>The template writes {0} differently in the history.</source>
        <translation>模板在历史中对 {0} 的写法不同。</translation>
    </message>
    <message>
        <source>The template writes {0} in a value as it writes its own marker.</source>
        <translation>模板在值里写出的 {0} 与它自己的标记相同。</translation>
    </message>
    <message>
        <source>The template writes {0} in another form of its characters.</source>
        <translation>模板写出 {0} 时字符的编码形式不同。</translation>
    </message>
    <message>
        <source>The template writes {0} with other blanks than it had.</source>
        <translation>模板写出 {0} 时空白与原来不同。</translation>
    </message>
    <message>
        <source>The template writes {0} with other line ends than it had.</source>
        <translation>模板以不同于原来的换行符写出{0}。</translation>
    </message>
    <message>
        <source>The template writes {0}{1}, which this model's vocabulary doesn't have as tokens.</source>
        <translation>模板写出了 {0}{1}，但此模型的词表中没有对应的 token。</translation>
    </message>
    <message>
        <source>The text begins with {0} twice; a tokenizer that adds it makes it three.</source>
        <translation>文本开头有两个 {0}；会自动添加它的分词器会使其变成三个。</translation>
    </message>
    <message>
        <source>The text holds halves of characters (lone surrogates), which no tokenizer takes; each is sent as U+FFFD.</source>
        <translation>文本含有半个字符（孤立代理项），分词器都不接受；每个都按 U+FFFD 发送。</translation>
    </message>
    <message>
        <source>The text is empty, and this model has no token to begin with: write something first.</source>
        <translation>文本为空，而且此模型没有起始 token：请先写些内容。</translation>
    </message>
    <message>
        <source>The text is neither JSON nor signatures.</source>
        <translation>该文本既不是 JSON 也不是签名。</translation>
    </message>
    <message>
        <source>The text is the same, but {0} it as other tokens than the tokenizer makes of it.</source>
        <translation>文本相同，但{0}的 token 与分词器得到的不同。</translation>
    </message>
    <message>
        <source>The tokenizer file {0} cannot be read: {1}.</source>
        <translation>无法读取分词器文件 {0}：{1}。</translation>
    </message>
    <message>
        <source>The tokens differ from number {0} on.{1}</source>
        <translation>从第 {0} 个起 token 不同。{1}</translation>
    </message>
    <message>
        <source>The tokens' pieces do not join to the prompt: this tokenizer changes the text (case, accents, blanks, characters that it does not know). The text shown is the prompt; where a token ends is approximate.</source>
        <translation>token 片段拼起来与提示词不同：此分词器会改变文本（大小写、重音、空白、不认识的字符）。显示的文本是提示词；token 的边界只是近似的。</translation>
    </message>
    <message>
        <source>The tool choice names {0}, which is not among the tools.</source>
        <translation>工具选择指定了 {0}，但工具中没有它。</translation>
    </message>
    <message>
        <source>The tool cycle is over, so the template drops the reasoning {0}.</source>
        <translation>工具循环已结束，因此模板去掉了{0}思考。</translation>
    </message>
    <message>
        <source>The tool declares no such argument.</source>
        <translation>该工具没有声明这个参数。</translation>
    </message>
    <message>
        <source>The trial told nothing against it.</source>
        <translation>试验没有发现反例。</translation>
    </message>
    <message>
        <source>The turn ends with {0}; the user's begins with {1}.</source>
        <translation>该轮以 {0} 结束；用户的一轮以 {1} 开始。</translation>
    </message>
    <message>
        <source>The turn failed ({0}). Try again; the log says more.</source>
        <translation>这一轮失败了（{0}）。请重试；日志中有更多信息。</translation>
    </message>
    <message>
        <source>The turn is still under way. Wait for its end, or stop it first.</source>
        <translation>该轮仍在进行。请等待其结束，或先停止。</translation>
    </message>
    <message>
        <source>The type at {0} is {1}, not a name or a list of names.</source>
        <translation>{0} 处的类型是 {1}，不是名称或名称列表。</translation>
    </message>
    <message>
        <source>The type {0} at {1} is none of {2}.</source>
        <translation>{1} 处的类型 {0} 不属于 {2}。</translation>
    </message>
    <message>
        <source>The vocabulary asks for an EOS token after every text; behind an open generation prompt it would end the reply before it begins, so it is left out.</source>
        <translation>词表要求在每段文本之后加 EOS token；在未结束的生成提示之后它会使回复在开始前就结束，因此已省略。</translation>
    </message>
    <message>
        <source>The vocabulary file {0} cannot be read: {1}.</source>
        <translation>无法读取词表文件 {0}：{1}。</translation>
    </message>
    <message>
        <source>The work was interrupted.</source>
        <translation>操作已中断。</translation>
    </message>
    <message>
        <source>There is a bracket too many.</source>
        <translation>多了一个括号。</translation>
    </message>
    <message>
        <source>There is no conversation {0}: it may have been deleted.</source>
        <translation>没有对话 {0}：它可能已被删除。</translation>
    </message>
    <message>
        <source>There is no device {0}; this llama.cpp offers {1}. Choose another.</source>
        <translation>没有设备 {0}；此 llama.cpp 提供 {1}。请另选一个。</translation>
    </message>
    <message>
        <source>There is no file {0}. It may have been moved: choose it again.</source>
        <translation>没有文件 {0}。它可能已被移动：请重新选择。</translation>
    </message>
    <message>
        <source>There is no format {0}. Known: {1}.</source>
        <translation>没有名为 {0} 的格式。已知格式：{1}。</translation>
    </message>
    <message>
        <source>There is no message {0}: it may have been deleted.</source>
        <translation>没有消息 {0}：它可能已被删除。</translation>
    </message>
    <message>
        <source>There is no reasoning to continue.</source>
        <translation>没有可以续写的思考。</translation>
    </message>
    <message>
        <source>There is no setting named {0}.</source>
        <translation>没有名为 {0} 的设置。</translation>
    </message>
    <message>
        <source>There is no such turn.</source>
        <translation>没有这一轮。</translation>
    </message>
    <message>
        <source>There is no tool named {0}.</source>
        <translation>没有名为 {0} 的工具。</translation>
    </message>
    <message>
        <source>There is not enough memory: choose a smaller model or fewer GPU layers.</source>
        <translation>内存不足：请选择更小的模型或减少 GPU 层数。</translation>
    </message>
    <message>
        <source>There is nothing to answer yet: write a message first.</source>
        <translation>还没有可回答的内容：请先写一条消息。</translation>
    </message>
    <message>
        <source>This conversation's cache was given up for another conversation.</source>
        <translation>此对话的缓存已让给另一个对话。</translation>
    </message>
    <message>
        <source>This is the first prompt: nothing is held yet.</source>
        <translation>这是第一个提示词：缓存中还没有内容。</translation>
    </message>
    <message>
        <source>This memory cannot go back to {0} tokens.</source>
        <translation>此类缓存无法回到 {0} 个 token。</translation>
    </message>
    <message>
        <source>This memory cannot move tokens, so that nothing behind the break is reused.</source>
        <translation>此类缓存无法移动 token，因此断点之后的内容都不能复用。</translation>
    </message>
    <message>
        <source>This memory could not be cut at token {0}, so that {1}.</source>
        <translation>此类缓存无法在第 {0} 个 token 处截断，因此{1}。</translation>
    </message>
    <message>
        <source>This model file has no vocabulary, so text cannot be turned into tokens.</source>
        <translation>此模型文件没有词表，因此无法把文本转换为 token。</translation>
    </message>
    <message>
        <source>This session is kept in memory only: nothing of it is saved.</source>
        <translation>本次会话只保存在内存中：不会写入磁盘。</translation>
    </message>
    <message>
        <source>This template asks whether tools is none, so without tools it is given none.</source>
        <translation>此模板检查 tools 是否为 none，因此没有工具时传入 none。</translation>
    </message>
    <message>
        <source>This template can't switch thinking {0}; it knows {1}.</source>
        <translation>此模板无法将思考切换为 {0}；它认识 {1}。</translation>
    </message>
    <message>
        <source>This template can't {0} the reasoning of earlier turns.</source>
        <translation>此模板无法{0}之前各轮的思考。</translation>
    </message>
    <message>
        <source>This template does not read {0}. {1}{2}</source>
        <translation>此模板不读取 {0}。{1}{2}</translation>
    </message>
    <message>
        <source>This template does not write tools; the model won't know of them.</source>
        <translation>此模板不写出工具；模型不会知道有这些工具。</translation>
    </message>
    <message>
        <source>This template has no place for reasoning: {0} is left out.</source>
        <translation>此模板没有放置思考的位置：{0} 已省略。</translation>
    </message>
    <message>
        <source>This template has no place for reasoning; {0} is left out.</source>
        <translation>此模板没有放置思考的位置；{0} 已省略。</translation>
    </message>
    <message>
        <source>This template has no system role; {0} was given as user.</source>
        <translation>此模板没有系统角色；{0} 已作为用户消息。</translation>
    </message>
    <message>
        <source>This template has no system role; {0} was put in front of {1}.</source>
        <translation>此模板没有系统角色；{0} 已放到 {1} 之前。</translation>
    </message>
    <message>
        <source>This template has no thinking level {0}; it knows {1}.</source>
        <translation>此模板没有思考强度 {0}；它认识 {1}。</translation>
    </message>
    <message>
        <source>This template has no {0} role; {1} was given as system.</source>
        <translation>此模板没有 {0} 角色；{1} 已作为系统消息。</translation>
    </message>
    <message>
        <source>This template leaves {0} out of the prompt.</source>
        <translation>此模板没有把 {0} 写入提示词。</translation>
    </message>
    <message>
        <source>This template looks for a call's name in the call itself; it was put there in {0}.</source>
        <translation>此模板在调用本身中查找其名称；已在 {0} 中放到那里。</translation>
    </message>
    <message>
        <source>This template looks for a tool's name in the tool itself; it was put there.</source>
        <translation>此模板在工具本身中查找名称；已放到那里。</translation>
    </message>
    <message>
        <source>This template opens the assistant's turn before {0}, so the reply would go on with that text.</source>
        <translation>此模板在 {0} 之前就开始了助手的一轮，因此回复会接着那段文本写下去。</translation>
    </message>
    <message>
        <source>This template reads reasoning, not reasoning_content: {0}.</source>
        <translation>此模板读取 reasoning，而不是 reasoning_content：{0}。</translation>
    </message>
    <message>
        <source>This template reads {0}; it was given {1}.</source>
        <translation>此模板读取 {0}；已传入 {1}。</translation>
    </message>
    <message>
        <source>This template takes lists of parts only; each text was given as one part.</source>
        <translation>此模板只接受分段列表；每段文本已作为一个部分。</translation>
    </message>
    <message>
        <source>This template takes reasoning as a part of the content: {0}.</source>
        <translation>此模板把思考作为正文的一部分：{0}。</translation>
    </message>
    <message>
        <source>This template takes reasoning or content beside calls; {0}.content was left out.</source>
        <translation>此模板在调用旁只接受思考或正文之一；{0}.content 已省略。</translation>
    </message>
    <message>
        <source>This template wants speakers to alternate; {0} was joined to {1}.</source>
        <translation>此模板要求说话者交替；{0} 已并入 {1}。</translation>
    </message>
    <message>
        <source>This template wants the name of a result's function; {0} got that of {1}.</source>
        <translation>此模板需要结果的函数名；{0} 使用了 {1} 的名称。</translation>
    </message>
    <message>
        <source>This template wants tool results inside {0}; they were moved there.</source>
        <translation>此模板要求工具结果位于 {0} 内；已移到那里。</translation>
    </message>
    <message>
        <source>This template writes content behind results; that of {0} was put before its calls.</source>
        <translation>此模板把正文写在结果之后；{0} 的正文已放到其调用之前。</translation>
    </message>
    <message>
        <source>Three calls are not rendered.</source>
        <translation>三个调用没有被渲染。</translation>
    </message>
    <message>
        <source>Three calls in a turn are refused: {0}</source>
        <translation>一轮中有三个调用会被拒绝：{0}</translation>
    </message>
    <message>
        <source>Tool calls are written otherwise than in the model's own template.</source>
        <translation>工具调用的写法与模型自己的模板不同。</translation>
    </message>
    <message>
        <source>Two tools are called {0}; names must differ.</source>
        <translation>有两个工具都叫 {0}；名称必须不同。</translation>
    </message>
    <message>
        <source>Unterminated string starting at</source>
        <translation>字符串没有结束，始于此处</translation>
    </message>
    <message>
        <source>Ways out: choose a format by name, use a simpler template, or complete plain text without a template.</source>
        <translation>可行的办法：按名称选择格式、使用更简单的模板，或不用模板直接补全纯文本。</translation>
    </message>
    <message>
        <source>What becomes of text before {0} in the content?</source>
        <translation>正文中 {0} 之前的文本会怎样？</translation>
    </message>
    <message>
        <source>What does an argument add to a call?</source>
        <translation>一个参数会给调用增加什么？</translation>
    </message>
    <message>
        <source>What does the template write when it is the assistant's turn?</source>
        <translation>轮到助手时模板写出什么？</translation>
    </message>
    <message>
        <source>What does the thinking switch change in the generation prompt?</source>
        <translation>思考开关会改变生成提示中的什么？</translation>
    </message>
    <message>
        <source>What stands around a call repeats the call: {0}.</source>
        <translation>调用前后的内容重复了调用本身：{0}。</translation>
    </message>
    <message>
        <source>What stands between an assistant's turn and the user's next?</source>
        <translation>助手的一轮与用户的下一轮之间有什么？</translation>
    </message>
    <message>
        <source>What stands between three calls, and around them?</source>
        <translation>三个调用之间以及前后有什么？</translation>
    </message>
    <message>
        <source>What was asked for</source>
        <translation>所要求的内容</translation>
    </message>
    <message>
        <source>What was read back renders to another text.</source>
        <translation>读回的内容再渲染后得到另一段文本。</translation>
    </message>
    <message>
        <source>When does the next train leave?</source>
        <translation>下一班火车几点开？</translation>
    </message>
    <message>
        <source>With other values in the same places the template's markers change ({0}).</source>
        <translation>同样位置换上其他值时，模板的标记会改变（{0}）。</translation>
    </message>
    <message>
        <source>Without Jinja these are left out: {0}.</source>
        <translation>不使用 Jinja 时以下内容会省略：{0}。</translation>
    </message>
    <message>
        <source>Write a system text of your own, so that the template adds none.</source>
        <translation>自行写一段系统文本，使模板不再添加。</translation>
    </message>
    <message>
        <source>Yes, between {0} and {1}.</source>
        <translation>有，位于 {0} 与 {1} 之间。</translation>
    </message>
    <message>
        <source>Yes, in {0} and {1}.</source>
        <translation>有，位于 {0} 和 {1} 之间。</translation>
    </message>
    <message>
        <source>Your message was changed after its beginning had been fed while you typed.</source>
        <translation>您的消息在其开头已于输入时送入之后被改动。</translation>
    </message>
    <message>
        <source>^ in the middle</source>
        <translation>位于中间的 ^</translation>
    </message>
    <message>
        <source>`not` is not enforced: a grammar can only say what may be written</source>
        <translation>`not` 不强制：语法只能说明可以写什么</translation>
    </message>
    <message>
        <source>`{0}` must be a number.</source>
        <translation>`{0}` 必须是数字。</translation>
    </message>
    <message>
        <source>`{0}` must be an object.</source>
        <translation>`{0}` 必须是对象。</translation>
    </message>
    <message>
        <source>`{0}` must be text.</source>
        <translation>`{0}` 必须是文本。</translation>
    </message>
    <message>
        <source>a GBNF text, or null</source>
        <translation>GBNF 文本或 null</translation>
    </message>
    <message>
        <source>a LoRA adapter, not a whole model. Open its base model and add it there</source>
        <translation>LoRA 适配器，不是完整模型。请打开其基础模型并在那里添加它</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>布尔值</translation>
    </message>
    <message>
        <source>a call ended before it began</source>
        <translation>调用在开始之前就结束了</translation>
    </message>
    <message>
        <source>a call with one argument</source>
        <translation>一个参数的调用</translation>
    </message>
    <message>
        <source>a call without arguments</source>
        <translation>没有参数的调用</translation>
    </message>
    <message>
        <source>a choice needs at least one item</source>
        <translation>选择至少需要一项</translation>
    </message>
    <message>
        <source>a class whose range has no ends</source>
        <translation>范围缺少端点的字符类</translation>
    </message>
    <message>
        <source>a closing quote</source>
        <translation>结束引号</translation>
    </message>
    <message>
        <source>a key may fit another pattern or name as well</source>
        <translation>键也可能符合另一个模式或名称</translation>
    </message>
    <message>
        <source>a key that is named already may be written again</source>
        <translation>已列出的键可能再次写出</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of [token, bias]</source>
        <translation>[token, 偏置] 的列表</translation>
    </message>
    <message>
        <source>a list of names</source>
        <translation>名称的列表</translation>
    </message>
    <message>
        <source>a list of stages</source>
        <translation>阶段的列表</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本的列表</translation>
    </message>
    <message>
        <source>a list of texts that are not empty</source>
        <translation>非空文本的列表</translation>
    </message>
    <message>
        <source>a list of tool definitions</source>
        <translation>工具定义的列表</translation>
    </message>
    <message>
        <source>a lookaround or a flag group</source>
        <translation>环视或标志分组</translation>
    </message>
    <message>
        <source>a missing )</source>
        <translation>缺少 )</translation>
    </message>
    <message>
        <source>a name is there twice</source>
        <translation>有一个名称出现两次</translation>
    </message>
    <message>
        <source>a namespace's attribute can't begin with an underscore: {0}</source>
        <translation>命名空间的属性不能以下划线开头：{0}</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number too large at character {0}</source>
        <translation>第 {0} 个字符处的数字太大</translation>
    </message>
    <message>
        <source>a number without a fraction may still be written</source>
        <translation>仍可写出没有小数部分的数字</translation>
    </message>
    <message>
        <source>a repetition counts from m to n, at most {0}</source>
        <translation>重复次数应为 m 到 n，最多 {0}</translation>
    </message>
    <message>
        <source>a repetition of more than {0}</source>
        <translation>超过 {0} 次的重复</translation>
    </message>
    <message>
        <source>a span is [text, kind, ...]</source>
        <translation>片段应为 [文本, 种类, ...]</translation>
    </message>
    <message>
        <source>a statistics file for quantising, not a model. Choose another file</source>
        <translation>量化用的统计文件，不是模型。请选择其他文件</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a string argument: {0}</source>
        <translation>字符串参数：{0}</translation>
    </message>
    <message>
        <source>a text in its metadata is {0} bytes long</source>
        <translation>元数据中有一段长达 {0} 字节的文本</translation>
    </message>
    <message>
        <source>a token (&lt;...&gt;) depends on the vocabulary and is not supported in a grammar here</source>
        <translation>token（&lt;...&gt;）取决于词表，这里的语法不支持</translation>
    </message>
    <message>
        <source>a value is written by `then` with `if`, or by `else`, which may fit `if` too</source>
        <translation>值按 `then` 加 `if` 书写，或按 `else` 书写（后者也可能符合 `if`）</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number from 0</source>
        <translation>非负整数</translation>
    </message>
    <message>
        <source>a whole number from 0 to 1000</source>
        <translation>0 到 1000 的整数</translation>
    </message>
    <message>
        <source>a whole number from 0 to 4294967295, or null</source>
        <translation>0 到 4294967295 的整数或 null</translation>
    </message>
    <message>
        <source>a whole number from 0, or null</source>
        <translation>非负整数或 null</translation>
    </message>
    <message>
        <source>a whole number from 1, or null</source>
        <translation>正整数或 null</translation>
    </message>
    <message>
        <source>a { that counts nothing</source>
        <translation>没有计数对象的 {</translation>
    </message>
    <message>
        <source>all calls after the first {0}</source>
        <translation>前 {0} 个之后的所有调用</translation>
    </message>
    <message>
        <source>an anchor inside a group</source>
        <translation>分组内的锚点</translation>
    </message>
    <message>
        <source>an end where more was expected</source>
        <translation>意外的结尾</translation>
    </message>
    <message>
        <source>an escape beyond the last character</source>
        <translation>超出最后一个字符的转义</translation>
    </message>
    <message>
        <source>an escape without its hexadecimal digits</source>
        <translation>缺少十六进制数字的转义</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>an object as in the OpenAI API, or null</source>
        <translation>OpenAI API 中的对象或 null</translation>
    </message>
    <message>
        <source>an object of template variables</source>
        <translation>模板变量的对象</translation>
    </message>
    <message>
        <source>an optional argument before a required one</source>
        <translation>可选参数在必需参数之前</translation>
    </message>
    <message>
        <source>an unmatched ) at {0}</source>
        <translation>{0} 处有多余的 )</translation>
    </message>
    <message>
        <source>another conversation's beginning</source>
        <translation>另一个对话的开头</translation>
    </message>
    <message>
        <source>another model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>any number within the bounds may be written</source>
        <translation>可以写界限内的任意数字</translation>
    </message>
    <message>
        <source>any of the alternatives may be written, also a value that fits several</source>
        <translation>可以写任意一种备选，包括同时符合多种的值</translation>
    </message>
    <message>
        <source>any value</source>
        <translation>任意值</translation>
    </message>
    <message>
        <source>arguments of every type</source>
        <translation>各种类型的参数</translation>
    </message>
    <message>
        <source>arguments were told before their call</source>
        <translation>参数先于其调用出现</translation>
    </message>
    <message>
        <source>attempt to write a readonly database</source>
        <translation>试图写入只读数据库</translation>
    </message>
    <message>
        <source>auto, none, required or function:NAME</source>
        <translation>auto、none、required 或 function:名称</translation>
    </message>
    <message>
        <source>autoescape writes text for HTML; chat templates can't use it</source>
        <translation>autoescape 用于 HTML 文本；聊天模板不能使用</translation>
    </message>
    <message>
        <source>bare closer</source>
        <translation>单独的结束标记</translation>
    </message>
    <message>
        <source>behind the prompt</source>
        <translation>在提示词之后</translation>
    </message>
    <message>
        <source>behind the reply</source>
        <translation>在回复之后</translation>
    </message>
    <message>
        <source>blanks changed</source>
        <translation>空白改变</translation>
    </message>
    <message>
        <source>branches on empty values</source>
        <translation>对空值的分支</translation>
    </message>
    <message>
        <source>call close</source>
        <translation>调用结束</translation>
    </message>
    <message>
        <source>call written anew</source>
        <translation>调用重新书写</translation>
    </message>
    <message>
        <source>characters normalised</source>
        <translation>字符规范化</translation>
    </message>
    <message>
        <source>checkpoint at {0}</source>
        <translation>位于 {0} 的检查点</translation>
    </message>
    <message>
        <source>chunks cannot be moved</source>
        <translation>片段无法移动</translation>
    </message>
    <message>
        <source>content</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>content before a call</source>
        <translation>正文后接一个调用</translation>
    </message>
    <message>
        <source>content before two calls</source>
        <translation>正文后接两个调用</translation>
    </message>
    <message>
        <source>content close</source>
        <translation>正文结束</translation>
    </message>
    <message>
        <source>content in unicode</source>
        <translation>Unicode 正文</translation>
    </message>
    <message>
        <source>content of many lines</source>
        <translation>多行正文</translation>
    </message>
    <message>
        <source>content open</source>
        <translation>正文开始</translation>
    </message>
    <message>
        <source>content that is JSON</source>
        <translation>JSON 形式的正文</translation>
    </message>
    <message>
        <source>content with braces that ends in &lt;</source>
        <translation>含花括号、以 &lt; 结尾的正文</translation>
    </message>
    <message>
        <source>content, thinking off</source>
        <translation>正文，关闭思考</translation>
    </message>
    <message>
        <source>context shifted</source>
        <translation>上下文移动</translation>
    </message>
    <message>
        <source>context size</source>
        <translation>上下文大小</translation>
    </message>
    <message>
        <source>control token</source>
        <translation>控制 token</translation>
    </message>
    <message>
        <source>database disk image is malformed</source>
        <translation>数据库文件内容已损坏</translation>
    </message>
    <message>
        <source>database is locked</source>
        <translation>数据库已锁定</translation>
    </message>
    <message>
        <source>database or disk is full</source>
        <translation>数据库或磁盘已满</translation>
    </message>
    <message>
        <source>date or hint moved</source>
        <translation>日期或提示语移动</translation>
    </message>
    <message>
        <source>default system text</source>
        <translation>默认系统文本</translation>
    </message>
    <message>
        <source>disk I/O error</source>
        <translation>磁盘读写错误</translation>
    </message>
    <message>
        <source>document.version is {0}; this version of Cutaway reads turns up to {1}. Install a newer one.</source>
        <translation>document.version 是 {0}；此版本的 Cutaway 最高读取到 {1}。请安装更新的版本。</translation>
    </message>
    <message>
        <source>expected )</source>
        <translation>此处应为 )</translation>
    </message>
    <message>
        <source>expected ::= after the rule's name</source>
        <translation>规则名之后应为 ::=</translation>
    </message>
    <message>
        <source>expected a number</source>
        <translation>此处应为数字</translation>
    </message>
    <message>
        <source>expected a rule's name</source>
        <translation>此处应为规则名</translation>
    </message>
    <message>
        <source>expected something before {0}</source>
        <translation>{0} 之前应有内容</translation>
    </message>
    <message>
        <source>expected the end of the line</source>
        <translation>此处应为行尾</translation>
    </message>
    <message>
        <source>expected {0} at character {1}</source>
        <translation>第 {1} 个字符处应为 {0}</translation>
    </message>
    <message>
        <source>expected {0} before the end</source>
        <translation>结尾之前应有 {0}</translation>
    </message>
    <message>
        <source>expected {0} hexadecimal digits of a character</source>
        <translation>应有 {0} 位十六进制字符编码</translation>
    </message>
    <message>
        <source>expected }</source>
        <translation>此处应为 }</translation>
    </message>
    <message>
        <source>file is not a database</source>
        <translation>文件不是数据库</translation>
    </message>
    <message>
        <source>first prompt</source>
        <translation>第一个提示词</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>functions is left out: tools says the same in the newer form.</source>
        <translation>functions 已省略：tools 以新写法说明了同样的内容。</translation>
    </message>
    <message>
        <source>functions, the older form, was read as tools.</source>
        <translation>旧写法 functions 已按 tools 读取。</translation>
    </message>
    <message>
        <source>generation blocks</source>
        <translation>generation 块</translation>
    </message>
    <message>
        <source>generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>generation prompt not repeated</source>
        <translation>生成提示没有重复</translation>
    </message>
    <message>
        <source>given up for another conversation</source>
        <translation>让给另一个对话</translation>
    </message>
    <message>
        <source>going on with the last message</source>
        <translation>续写最后一条消息</translation>
    </message>
    <message>
        <source>gone into</source>
        <translation>被读取</translation>
    </message>
    <message>
        <source>gone through</source>
        <translation>被遍历</translation>
    </message>
    <message>
        <source>history breaks the prefix in {0}</source>
        <translation>历史在 {0} 个案例中破坏前缀</translation>
    </message>
    <message>
        <source>history shortened</source>
        <translation>历史缩短</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>is said twice; only one of the two is enforced</source>
        <translation>出现两次；只强制其中一个</translation>
    </message>
    <message>
        <source>it claims {0} metadata entries</source>
        <translation>它声称有 {0} 个元数据项</translation>
    </message>
    <message>
        <source>it claims {0} tensors</source>
        <translation>它声称有 {0} 个张量</translation>
    </message>
    <message>
        <source>it does not fit this model</source>
        <translation>它不适合此模型</translation>
    </message>
    <message>
        <source>it ends in the middle of a text</source>
        <translation>它在一段文本中途结束</translation>
    </message>
    <message>
        <source>it ends in the middle of an array</source>
        <translation>它在数组中途结束</translation>
    </message>
    <message>
        <source>it ends in the middle of its metadata</source>
        <translation>它在元数据中途结束</translation>
    </message>
    <message>
        <source>it gave no reason</source>
        <translation>未给出原因</translation>
    </message>
    <message>
        <source>it has a value of the unknown type {0}</source>
        <translation>它含有未知类型 {0} 的值</translation>
    </message>
    <message>
        <source>it is damaged or too new</source>
        <translation>文件已损坏或版本太新</translation>
    </message>
    <message>
        <source>it is no saved state</source>
        <translation>它不是已保存的状态</translation>
    </message>
    <message>
        <source>it is not as long as it says</source>
        <translation>长度与记录不符</translation>
    </message>
    <message>
        <source>it is not valid GBNF or refers to itself first</source>
        <translation>它不是有效的 GBNF，或首先引用了自身</translation>
    </message>
    <message>
        <source>it is that of another conversation or model</source>
        <translation>它属于另一个对话或模型</translation>
    </message>
    <message>
        <source>its JSON holds the name or the arguments in a way that has no name here</source>
        <translation>其 JSON 存放名称或参数的方式在这里没有对应的叫法</translation>
    </message>
    <message>
        <source>its alignment is {0}</source>
        <translation>其对齐值为 {0}</translation>
    </message>
    <message>
        <source>its arguments are not all written</source>
        <translation>参数没有全部写出</translation>
    </message>
    <message>
        <source>its arguments are written neither as JSON nor alike</source>
        <translation>参数既不是 JSON，写法也不统一</translation>
    </message>
    <message>
        <source>its arrays are nested too deeply</source>
        <translation>数组嵌套太深</translation>
    </message>
    <message>
        <source>its bytes have changed since it was written</source>
        <translation>写入之后其字节发生了变化</translation>
    </message>
    <message>
        <source>its code is {0}</source>
        <translation>代码为 {0}</translation>
    </message>
    <message>
        <source>its pattern is not enforced: a grammar has no {0}</source>
        <translation>其 pattern 不强制：语法中没有{0}</translation>
    </message>
    <message>
        <source>its {0} parameters are laid out differently ({1} reads {2}, not {3}).</source>
        <translation>其 {0} 参数的布局不同（{1} 读出 {2}，而不是 {3}）。</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>会被保留</translation>
    </message>
    <message>
        <source>keys by {0} are left out: no {1}</source>
        <translation>按 {0} 的键已省略：没有{1}</translation>
    </message>
    <message>
        <source>keys must be str, int, float, bool or None, not {0}</source>
        <translation>键必须是 str、int、float、bool 或 None，而不是 {0}</translation>
    </message>
    <message>
        <source>last token again</source>
        <translation>重送最后一个 token</translation>
    </message>
    <message>
        <source>leave out</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>被省略</translation>
    </message>
    <message>
        <source>line {0} of the template</source>
        <translation>模板第 {0} 行</translation>
    </message>
    <message>
        <source>line {0}, column {1}</source>
        <translation>第 {0} 行第 {1} 列</translation>
    </message>
    <message>
        <source>llama.cpp could not compute with {0}: {1}. Fetch it again.</source>
        <translation>llama.cpp 无法用 {0} 计算：{1}。请重新获取。</translation>
    </message>
    <message>
        <source>llama.cpp could not compute with {0}: {1}. Load without it.</source>
        <translation>llama.cpp 无法用 {0} 计算：{1}。请不用它加载。</translation>
    </message>
    <message>
        <source>llama.cpp could not load {0}: {1}. {2}</source>
        <translation>llama.cpp 无法加载 {0}：{1}。{2}</translation>
    </message>
    <message>
        <source>llama.cpp could not make a context of {0} tokens for {1}: {2}. Load it with a smaller context or another KV type.</source>
        <translation>llama.cpp 无法为 {1} 创建 {0} 个 token 的上下文：{2}。请用更小的上下文或其他 KV 类型加载。</translation>
    </message>
    <message>
        <source>llama.cpp could not process the tokens before position {0}: {1}. Try again.</source>
        <translation>llama.cpp 无法处理位置 {0} 之前的 token：{1}。请重试。</translation>
    </message>
    <message>
        <source>llama.cpp could not read the vocabulary of {0}: {1}.</source>
        <translation>llama.cpp 无法读取 {0} 的词表：{1}。</translation>
    </message>
    <message>
        <source>llama.cpp could not work with {0}: {1}. {2}</source>
        <translation>llama.cpp 无法使用 {0}：{1}。{2}</translation>
    </message>
    <message>
        <source>llama.cpp ended itself while it opened {0}, in a process of its own, so nothing else is lost. The file is damaged or made for another llama.cpp: fetch it again, or choose another model.</source>
        <translation>llama.cpp 在独立进程中打开 {0} 时自行终止，因此没有其他损失。该文件已损坏，或是为其他 llama.cpp 制作的：请重新获取，或选择其他模型。</translation>
    </message>
    <message>
        <source>llama.cpp has no built-in form of this template; use it with Jinja.</source>
        <translation>llama.cpp 没有内置此模板；请用 Jinja 渲染。</translation>
    </message>
    <message>
        <source>llama.cpp has no logits to sample from. Send again.</source>
        <translation>llama.cpp 没有可供采样的 logits。请重新发送。</translation>
    </message>
    <message>
        <source>llama.cpp refused the LoRA adapters for this model. Load without them.</source>
        <translation>llama.cpp 拒绝对此模型使用这些 LoRA 适配器。请不用它们加载。</translation>
    </message>
    <message>
        <source>llama.cpp refused the sampler stage {0} with these settings.</source>
        <translation>llama.cpp 拒绝了这些设置下的采样阶段 {0}。</translation>
    </message>
    <message>
        <source>llama.cpp's library could not be loaded ({0}). {1}</source>
        <translation>无法加载 llama.cpp 的库（{0}）。{1}</translation>
    </message>
    <message>
        <source>media in the prompt</source>
        <translation>提示词中有媒体</translation>
    </message>
    <message>
        <source>memory cannot be cut</source>
        <translation>缓存无法截断</translation>
    </message>
    <message>
        <source>message deleted or branch left</source>
        <translation>消息被删除或离开分支</translation>
    </message>
    <message>
        <source>message edited</source>
        <translation>消息被编辑</translation>
    </message>
    <message>
        <source>message inserted</source>
        <translation>插入消息</translation>
    </message>
    <message>
        <source>message {0} ({1})</source>
        <translation>第 {0} 条消息（{1}）</translation>
    </message>
    <message>
        <source>model loaded again</source>
        <translation>模型重新加载</translation>
    </message>
    <message>
        <source>more than {0} nested groups</source>
        <translation>嵌套分组超过 {0} 层</translation>
    </message>
    <message>
        <source>must be a string of JSON or an object, not {0}</source>
        <translation>必须是 JSON 字符串或对象，而不是 {0}</translation>
    </message>
    <message>
        <source>nested arguments</source>
        <translation>嵌套参数</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套太深</translation>
    </message>
    <message>
        <source>no JSON value at character {0}</source>
        <translation>第 {0} 个字符处没有 JSON 值</translation>
    </message>
    <message>
        <source>no character of the class can be written in a string</source>
        <translation>该字符类中没有字符能写入字符串</translation>
    </message>
    <message>
        <source>no character of the class can stand before the closing tag</source>
        <translation>该字符类中没有字符能出现在结束标签之前</translation>
    </message>
    <message>
        <source>no checkpoint</source>
        <translation>没有检查点</translation>
    </message>
    <message>
        <source>none of its libraries fits this processor.</source>
        <translation>其中没有适合此处理器的库。</translation>
    </message>
    <message>
        <source>not applicable</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>not gone into</source>
        <translation>没有被读取</translation>
    </message>
    <message>
        <source>not gone through</source>
        <translation>没有被遍历</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>不被读取</translation>
    </message>
    <message>
        <source>nothing marks where a call begins</source>
        <translation>没有标记说明调用从哪里开始</translation>
    </message>
    <message>
        <source>nothing marks where a value ends</source>
        <translation>没有标记说明值在哪里结束</translation>
    </message>
    <message>
        <source>null may be written too, as OpenAPI 3.0 means it</source>
        <translation>也可以写 null，按 OpenAPI 3.0 的含义</translation>
    </message>
    <message>
        <source>of message {0}</source>
        <translation>第 {0} 条消息的</translation>
    </message>
    <message>
        <source>of one part forbids keys of another; they may be written all the same</source>
        <translation>其中一部分禁止另一部分的键；但仍可能写出</translation>
    </message>
    <message>
        <source>on, off, auto, an effort level, or null</source>
        <translation>on、off、auto、强度等级或 null</translation>
    </message>
    <message>
        <source>one call</source>
        <translation>一个调用</translation>
    </message>
    <message>
        <source>one call, thinking off</source>
        <translation>一个调用，关闭思考</translation>
    </message>
    <message>
        <source>one long tool result</source>
        <translation>一个很长的工具结果</translation>
    </message>
    <message>
        <source>one of {0}</source>
        <translation>{0} 之一</translation>
    </message>
    <message>
        <source>only enum, const and pattern of a name are enforced</source>
        <translation>对名称只强制 enum、const 和 pattern</translation>
    </message>
    <message>
        <source>only {0} are demanded</source>
        <translation>只要求 {0}</translation>
    </message>
    <message>
        <source>other end of message</source>
        <translation>消息结尾不同</translation>
    </message>
    <message>
        <source>other tokens for the same text</source>
        <translation>同一文本的 token 不同</translation>
    </message>
    <message>
        <source>parsed wrongly</source>
        <translation>解析错误</translation>
    </message>
    <message>
        <source>pip gave no reason</source>
        <translation>pip 未给出原因</translation>
    </message>
    <message>
        <source>prefill stopped</source>
        <translation>预填充停止</translation>
    </message>
    <message>
        <source>prefix break</source>
        <translation>前缀中断</translation>
    </message>
    <message>
        <source>read</source>
        <translation>会被读取</translation>
    </message>
    <message>
        <source>reasoning and content</source>
        <translation>思考和正文</translation>
    </message>
    <message>
        <source>reasoning before a call</source>
        <translation>思考后接一个调用</translation>
    </message>
    <message>
        <source>reasoning close</source>
        <translation>思考结束</translation>
    </message>
    <message>
        <source>reasoning in earlier messages</source>
        <translation>之前消息中的思考</translation>
    </message>
    <message>
        <source>reasoning in unicode</source>
        <translation>Unicode 思考</translation>
    </message>
    <message>
        <source>reasoning of many lines</source>
        <translation>多行思考</translation>
    </message>
    <message>
        <source>reasoning open</source>
        <translation>思考开始</translation>
    </message>
    <message>
        <source>reasoning stripped from history</source>
        <translation>历史中去掉了思考</translation>
    </message>
    <message>
        <source>reasoning, content and a call</source>
        <translation>思考、正文和一个调用</translation>
    </message>
    <message>
        <source>reasoning, content and three calls</source>
        <translation>思考、正文和三个调用</translation>
    </message>
    <message>
        <source>reasoning_format must be auto, deepseek or none.</source>
        <translation>reasoning_format 必须是 auto、deepseek 或 none。</translation>
    </message>
    <message>
        <source>reply cut</source>
        <translation>回复被截断</translation>
    </message>
    <message>
        <source>same prompt again</source>
        <translation>同一提示词再次发送</translation>
    </message>
    <message>
        <source>saved state</source>
        <translation>已保存的状态</translation>
    </message>
    <message>
        <source>saved state unusable</source>
        <translation>已保存的状态不可用</translation>
    </message>
    <message>
        <source>says nothing about values</source>
        <translation>对值没有任何说明</translation>
    </message>
    <message>
        <source>settings changed</source>
        <translation>设置改变</translation>
    </message>
    <message>
        <source>signal {0}</source>
        <translation>信号 {0}</translation>
    </message>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>sliding-window cache</source>
        <translation>滑动窗口缓存</translation>
    </message>
    <message>
        <source>so high a bound is left open</source>
        <translation>界限过高，不作限制</translation>
    </message>
    <message>
        <source>so many arguments are written in the schema's order</source>
        <translation>参数过多，按 schema 的顺序书写</translation>
    </message>
    <message>
        <source>so many properties are written in the schema's order</source>
        <translation>属性过多，按 schema 的顺序书写</translation>
    </message>
    <message>
        <source>status {0}</source>
        <translation>状态 {0}</translation>
    </message>
    <message>
        <source>strftime_now takes a short format without widths, not {0}</source>
        <translation>strftime_now 只接受不带宽度的简短格式，而不是 {0}</translation>
    </message>
    <message>
        <source>system text changed</source>
        <translation>系统文本改变</translation>
    </message>
    <message>
        <source>template drops data</source>
        <translation>模板丢失数据</translation>
    </message>
    <message>
        <source>the beginning</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>the cache holds</source>
        <translation>缓存存有</translation>
    </message>
    <message>
        <source>the checkpoint at token {0}</source>
        <translation>第 {0} 个 token 处的检查点</translation>
    </message>
    <message>
        <source>the content</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>该文件</translation>
    </message>
    <message>
        <source>the format {0}</source>
        <translation>格式 {0}</translation>
    </message>
    <message>
        <source>the format {0} is not enforced</source>
        <translation>格式 {0} 不强制</translation>
    </message>
    <message>
        <source>the generation prompt, {0}</source>
        <translation>生成提示，{0}</translation>
    </message>
    <message>
        <source>the image part of a model, not the model itself. Open the file beside it</source>
        <translation>模型的图像部分，不是模型本身。请打开它旁边的文件</translation>
    </message>
    <message>
        <source>the input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>the key {0} appears twice</source>
        <translation>键 {0} 出现两次</translation>
    </message>
    <message>
        <source>the last digits next to the bound are left out</source>
        <translation>界限附近的末位数字已省略</translation>
    </message>
    <message>
        <source>the model wrote</source>
        <translation>模型写出</translation>
    </message>
    <message>
        <source>the name follows the arguments</source>
        <translation>名称在参数之后</translation>
    </message>
    <message>
        <source>the oldest turn</source>
        <translation>最早的一轮</translation>
    </message>
    <message>
        <source>the pattern is not enforced: a grammar has no {0}</source>
        <translation>pattern 不强制：语法中没有{0}</translation>
    </message>
    <message>
        <source>the pattern or format decides alone</source>
        <translation>仅由 pattern 或 format 决定</translation>
    </message>
    <message>
        <source>the prompt consists of more than {0} pieces</source>
        <translation>提示词由超过 {0} 个片段组成</translation>
    </message>
    <message>
        <source>the reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>the reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>the reply before idle work</source>
        <translation>空闲工作之前的回复</translation>
    </message>
    <message>
        <source>the same call twice</source>
        <translation>同一调用两次</translation>
    </message>
    <message>
        <source>the sandbox refuses: {0}</source>
        <translation>沙箱拒绝：{0}</translation>
    </message>
    <message>
        <source>the template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>the template asks for a width of more than {0} characters</source>
        <translation>模板要求超过 {0} 个字符的宽度</translation>
    </message>
    <message>
        <source>the template asks for more memory than there is</source>
        <translation>模板需要的内存超过现有内存</translation>
    </message>
    <message>
        <source>the template asks for the time, but none is given</source>
        <translation>模板要读取时间，但没有提供</translation>
    </message>
    <message>
        <source>the template calls itself more than {0} levels deep</source>
        <translation>模板自身调用超过 {0} 层</translation>
    </message>
    <message>
        <source>the template calls itself too deeply</source>
        <translation>模板自身调用太深</translation>
    </message>
    <message>
        <source>the template can't be compiled: {0}</source>
        <translation>模板无法编译：{0}</translation>
    </message>
    <message>
        <source>the template compares or sorts values of more than {0} parts</source>
        <translation>模板比较或排序了超过 {0} 个部分的值</translation>
    </message>
    <message>
        <source>the template computes a number with too many digits</source>
        <translation>模板计算的数字位数太多</translation>
    </message>
    <message>
        <source>the template computes a power with too many digits</source>
        <translation>模板计算的幂位数太多</translation>
    </message>
    <message>
        <source>the template does too much: more than {0} steps</source>
        <translation>模板执行过多：超过 {0} 步</translation>
    </message>
    <message>
        <source>the template drops or blurs data in {0} cases</source>
        <translation>模板在 {0} 个案例中丢失或混淆数据</translation>
    </message>
    <message>
        <source>the template fails: {0}</source>
        <translation>模板出错：{0}</translation>
    </message>
    <message>
        <source>the template has more than {0} tokens</source>
        <translation>模板超过 {0} 个词法单元</translation>
    </message>
    <message>
        <source>the template is longer than {0} characters</source>
        <translation>模板超过 {0} 个字符</translation>
    </message>
    <message>
        <source>the template is nested too deeply to be compiled ({0})</source>
        <translation>模板嵌套太深，无法编译（{0}）</translation>
    </message>
    <message>
        <source>the template makes a list of more than {0} items</source>
        <translation>模板生成了超过 {0} 项的列表</translation>
    </message>
    <message>
        <source>the template makes a mapping of more than {0} keys that are not texts</source>
        <translation>模板生成的映射有超过 {0} 个非文本的键</translation>
    </message>
    <message>
        <source>the template makes a text of more than {0} characters</source>
        <translation>模板生成了超过 {0} 个字符的文本</translation>
    </message>
    <message>
        <source>the template makes more than {0} characters of text in all</source>
        <translation>模板总共生成了超过 {0} 个字符的文本</translation>
    </message>
    <message>
        <source>the template makes more than {0} list items in all</source>
        <translation>模板总共生成了超过 {0} 个列表项</translation>
    </message>
    <message>
        <source>the template nests values more than {0} levels deep</source>
        <translation>模板中的值嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>the template reads a number of more than {0} digits</source>
        <translation>模板读取了超过 {0} 位的数字</translation>
    </message>
    <message>
        <source>the template searches too long a text for too long a text</source>
        <translation>模板在过长的文本中查找过长的文本</translation>
    </message>
    <message>
        <source>the template takes too long: its time is used up</source>
        <translation>模板耗时过长：时间已用尽</translation>
    </message>
    <message>
        <source>the template uses something that is not there: {0}</source>
        <translation>模板使用了不存在的内容：{0}</translation>
    </message>
    <message>
        <source>the template works through a text of more than {0} characters in one go</source>
        <translation>模板一次处理超过 {0} 个字符的文本</translation>
    </message>
    <message>
        <source>the template writes a number with too many digits</source>
        <translation>模板写出的数字位数太多</translation>
    </message>
    <message>
        <source>the template's format asks for more than {0} characters</source>
        <translation>模板的格式化要求超过 {0} 个字符</translation>
    </message>
    <message>
        <source>the tensor {0} has {1} dimensions</source>
        <translation>张量 {0} 有 {1} 个维度</translation>
    </message>
    <message>
        <source>the time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>the {0}</source>
        <translation>{0}</translation>
    </message>
    <message>
        <source>the {0} format</source>
        <translation>{0} 格式</translation>
    </message>
    <message>
        <source>the {0} oldest turns</source>
        <translation>最早的 {0} 轮</translation>
    </message>
    <message>
        <source>their order</source>
        <translation>它们的顺序</translation>
    </message>
    <message>
        <source>there was not enough memory for it</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>thinking must be on, off, auto or an effort level, not empty.</source>
        <translation>thinking 必须是 on、off、auto 或强度等级，不能为空。</translation>
    </message>
    <message>
        <source>thinking switches</source>
        <translation>思考开关</translation>
    </message>
    <message>
        <source>this template looks for its thinking switch in the text.</source>
        <translation>此模板在文本中查找思考开关。</translation>
    </message>
    <message>
        <source>three calls</source>
        <translation>三个调用</translation>
    </message>
    <message>
        <source>tojson: separators are two strings</source>
        <translation>tojson：separators 应为两个字符串</translation>
    </message>
    <message>
        <source>tojson: the value is nested more than {0} levels deep</source>
        <translation>tojson：值的嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>tool calls in earlier messages</source>
        <translation>之前消息中的工具调用</translation>
    </message>
    <message>
        <source>tool cycle closed</source>
        <translation>工具循环结束</translation>
    </message>
    <message>
        <source>tool_choice is required, but no tools are given.</source>
        <translation>tool_choice 为 required，但没有提供工具。</translation>
    </message>
    <message>
        <source>tool_choice must be auto, none, required or a named function.</source>
        <translation>tool_choice 必须是 auto、none、required 或指定的函数。</translation>
    </message>
    <message>
        <source>tool_choice names {0}, which is not among the tools.</source>
        <translation>tool_choice 指定了 {0}，但工具中没有它。</translation>
    </message>
    <message>
        <source>tool_choice.type must be function.</source>
        <translation>tool_choice.type 必须是 function。</translation>
    </message>
    <message>
        <source>tools changed</source>
        <translation>工具改变</translation>
    </message>
    <message>
        <source>tools[{0}].function.parameters is missing; an object without properties was put there.</source>
        <translation>缺少 tools[{0}].function.parameters；已补上一个没有属性的对象。</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>true, false or null</source>
        <translation>true、false 或 null</translation>
    </message>
    <message>
        <source>two calls</source>
        <translation>两个调用</translation>
    </message>
    <message>
        <source>unable to open database file</source>
        <translation>无法打开数据库文件</translation>
    </message>
    <message>
        <source>unexpected text at character {0}</source>
        <translation>第 {0} 个字符处有意外的文本</translation>
    </message>
    <message>
        <source>unknown escape \{0}</source>
        <translation>未知的转义 \{0}</translation>
    </message>
    <message>
        <source>unknown model architecture</source>
        <translation>未知的模型架构</translation>
    </message>
    <message>
        <source>unknown pre-tokenizer</source>
        <translation>未知的预分词器</translation>
    </message>
    <message>
        <source>values from outside ({0})</source>
        <translation>来自外部的值（{0}）</translation>
    </message>
    <message>
        <source>verified {0} of {1}</source>
        <translation>已验证 {0}/{1}</translation>
    </message>
    <message>
        <source>what follows the name differs from call to call</source>
        <translation>名称之后的内容每次调用都不同</translation>
    </message>
    <message>
        <source>what stands between two calls differs from call to call</source>
        <translation>两个调用之间的内容每次都不同</translation>
    </message>
    <message>
        <source>while it was loading {0}</source>
        <translation>在加载 {0} 时</translation>
    </message>
    <message>
        <source>while {0} was in use</source>
        <translation>在使用 {0} 时</translation>
    </message>
    <message>
        <source>without a type, only {0} is written</source>
        <translation>没有类型时只写 {0}</translation>
    </message>
    <message>
        <source>{0} (template line {1}{2}{3})</source>
        <translation>{0}（模板第 {1} 行{2}{3}）</translation>
    </message>
    <message>
        <source>{0} Install the program again.</source>
        <translation>{0}请重新安装程序。</translation>
    </message>
    <message>
        <source>{0} It was made with another model file: {1}.</source>
        <translation>{0}它是用另一个模型文件生成的：{1}。</translation>
    </message>
    <message>
        <source>{0} The strict profile does not forgive it.</source>
        <translation>{0}严格模式不容许这种情况。</translation>
    </message>
    <message>
        <source>{0} The template had refused: {1}</source>
        <translation>{0}模板原先拒绝：{1}</translation>
    </message>
    <message>
        <source>{0} Tools are off.</source>
        <translation>{0}工具已关闭。</translation>
    </message>
    <message>
        <source>{0} Tools are off: what the model writes is read as text. {1}</source>
        <translation>{0}工具已关闭：模型写出的内容按文本读取。{1}</translation>
    </message>
    <message>
        <source>{0} at {1} is {2}, not a whole number from 0 on.</source>
        <translation>{1} 处的 {0} 是 {2}，不是非负整数。</translation>
    </message>
    <message>
        <source>{0} branches</source>
        <translation>{0} 个分支</translation>
    </message>
    <message>
        <source>{0} calls were read, not {1}.</source>
        <translation>读到 {0} 个调用，而不是 {1} 个。</translation>
    </message>
    <message>
        <source>{0} came</source>
        <translation>新增 {0}</translation>
    </message>
    <message>
        <source>{0} came as an object; the API has a string of JSON there.</source>
        <translation>{0} 是对象；API 在此处应为 JSON 字符串。</translation>
    </message>
    <message>
        <source>{0} can't be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} can't go on after tool calls; continue a message that has none.</source>
        <translation>{0} 不能在工具调用之后续写；请续写没有调用的消息。</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be written: the file or its folder is read-only or not there ({1}). Make it writable, or set CUTAWAY_HOME to a folder that is.</source>
        <translation>无法写入 {0}：文件或其文件夹为只读或不存在（{1}）。请使其可写，或将 CUTAWAY_HOME 设为可写的文件夹。</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}. Choose another place.</source>
        <translation>无法写入 {0}：{1}。请选择其他位置。</translation>
    </message>
    <message>
        <source>{0} changed since the cache was filled.</source>
        <translation>缓存填充之后 {0} 已改变。</translation>
    </message>
    <message>
        <source>{0} changed, and with it the generation prompt.</source>
        <translation>{0} 已改变，生成提示也随之改变。</translation>
    </message>
    <message>
        <source>{0} changed, and with it the prompt from here on.</source>
        <translation>{0} 已改变，从这里起的提示词也随之改变。</translation>
    </message>
    <message>
        <source>{0} contains itself</source>
        <translation>{0} 包含自身</translation>
    </message>
    <message>
        <source>{0} contains itself; a request can't be circular.</source>
        <translation>{0} 包含自身；请求不能循环引用。</translation>
    </message>
    <message>
        <source>{0} deleted from message {1} on.</source>
        <translation>从第 {1} 条消息起，{0}被删除。</translation>
    </message>
    <message>
        <source>{0} differs in its blanks only.</source>
        <translation>{0} 只有空白不同。</translation>
    </message>
    <message>
        <source>{0} does not hold {1}; another version of it may have been served.</source>
        <translation>{0} 中没有 {1}；可能提供了另一个版本。</translation>
    </message>
    <message>
        <source>{0} does not match {1}</source>
        <translation>{0} 不匹配 {1}</translation>
    </message>
    <message>
        <source>{0} dropped from the beginning of the conversation.</source>
        <translation>对话开头的{0}被去掉。</translation>
    </message>
    <message>
        <source>{0} has a key that is not a string: {1}</source>
        <translation>{0} 有一个键不是字符串：{1}</translation>
    </message>
    <message>
        <source>{0} has a key that is {1}; keys are strings.</source>
        <translation>{0} 有一个键是 {1}；键必须是字符串。</translation>
    </message>
    <message>
        <source>{0} has no `messages`.</source>
        <translation>{0} 没有 `messages`。</translation>
    </message>
    <message>
        <source>{0} has no chat template. ChatML is used instead, which this model may never have seen.</source>
        <translation>{0} 没有聊天模板。改用 ChatML，此模型可能从未见过它。</translation>
    </message>
    <message>
        <source>{0} has no default template; its tool_use template is used for everything.</source>
        <translation>{0} 没有默认模板；所有情况都使用它的 tool_use 模板。</translation>
    </message>
    <message>
        <source>{0} has no finite instance: every value would have to hold itself.</source>
        <translation>{0} 没有有限的实例：每个值都必须包含自身。</translation>
    </message>
    <message>
        <source>{0} has non-unique elements</source>
        <translation>{0} 含有重复元素</translation>
    </message>
    <message>
        <source>{0} has other line ends.</source>
        <translation>{0} 的换行符不同。</translation>
    </message>
    <message>
        <source>{0} has the older role function; it was given as tool.</source>
        <translation>{0} 使用旧角色 function；已作为 tool 传入。</translation>
    </message>
    <message>
        <source>{0} has the same characters in another form.</source>
        <translation>{0} 的字符相同，但编码形式不同。</translation>
    </message>
    <message>
        <source>{0} has the schema {1} and cannot be written, so it cannot be brought to {2}. Make the file and its folder writable.</source>
        <translation>{0} 的架构为 {1} 且无法写入，因此不能升级到 {2}。请使文件及其文件夹可写。</translation>
    </message>
    <message>
        <source>{0} has {1} characters; {2} is the most that is read.</source>
        <translation>{0} 有 {1} 个字符；最多读取 {2} 个。</translation>
    </message>
    <message>
        <source>{0} held half of a character; it is shown as U+FFFD.</source>
        <translation>{0} 含有半个字符；显示为 U+FFFD。</translation>
    </message>
    <message>
        <source>{0} holds a number of too many digits.</source>
        <translation>{0} 含有位数过多的数字。</translation>
    </message>
    <message>
        <source>{0} holds a vocabulary but no weights, so it cannot answer. Choose a whole model.</source>
        <translation>{0} 只有词表而没有权重，因此无法回答。请选择完整的模型。</translation>
    </message>
    <message>
        <source>{0} holds media; {1} stands in their place.</source>
        <translation>{0} 含有媒体；已用 {1} 代替。</translation>
    </message>
    <message>
        <source>{0} holds {1} conversations; {2} is the most.</source>
        <translation>{0} 含有 {1} 个对话；最多 {2} 个。</translation>
    </message>
    <message>
        <source>{0} in a string argument</source>
        <translation>字符串参数中的 {0}</translation>
    </message>
    <message>
        <source>{0} inserted before what was message {1}.</source>
        <translation>在原第 {1} 条消息之前插入了{0}。</translation>
    </message>
    <message>
        <source>{0} is</source>
        <translation>{0}</translation>
    </message>
    <message>
        <source>{0} is GGUF version {1}; versions 2 and 3 can be read. Convert the model again.</source>
        <translation>{0} 是 GGUF 第 {1} 版；可以读取第 2 和第 3 版。请重新转换模型。</translation>
    </message>
    <message>
        <source>{0} is JSON inside a JSON string; the inner was used.</source>
        <translation>{0} 是 JSON 字符串中的 JSON；已使用内层。</translation>
    </message>
    <message>
        <source>{0} is a damaged GGUF file: {1}. Fetch it again.</source>
        <translation>{0} 是损坏的 GGUF 文件：{1}。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is a folder, not a GGUF file.</source>
        <translation>{0} 是文件夹，不是 GGUF 文件。</translation>
    </message>
    <message>
        <source>{0} is a folder. Choose a .gguf file in it.</source>
        <translation>{0} 是文件夹。请选择其中的 .gguf 文件。</translation>
    </message>
    <message>
        <source>{0} is a list; the template takes text, so its parts were joined.</source>
        <translation>{0} 是列表；模板接受文本，因此各部分已合并。</translation>
    </message>
    <message>
        <source>{0} is a required property</source>
        <translation>缺少必需的属性 {0}</translation>
    </message>
    <message>
        <source>{0} is a turn, not a conversation: open it with Open turn.</source>
        <translation>{0} 是一轮而不是对话：请用“打开轮次文件”打开。</translation>
    </message>
    <message>
        <source>{0} is a {1}; a template takes JSON values only</source>
        <translation>{0} 是 {1}；模板只接受 JSON 值</translation>
    </message>
    <message>
        <source>{0} is an integer of more than {1} digits.</source>
        <translation>{0} 是超过 {1} 位的整数。</translation>
    </message>
    <message>
        <source>{0} is cut short: at least {1} bytes are missing at its end, where {2} should be. Fetch it again.</source>
        <translation>{0} 不完整：末尾至少缺少 {1} 字节，那里应为 {2}。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is damaged ({1}).</source>
        <translation>{0} 已损坏（{1}）。</translation>
    </message>
    <message>
        <source>{0} is damaged: its tensor {1} is empty. Fetch it again.</source>
        <translation>{0} 已损坏：其张量 {1} 为空。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is damaged: its {1} is no finite number. Fetch it again.</source>
        <translation>{0} 已损坏：其 {1} 不是有限数。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is damaged: its {1} is {2}. Fetch it again.</source>
        <translation>{0} 已损坏：其 {1} 为 {2}。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is empty.</source>
        <translation>{0} 为空。</translation>
    </message>
    <message>
        <source>{0} is empty; read as an object without members.</source>
        <translation>{0} 为空；按没有成员的对象读取。</translation>
    </message>
    <message>
        <source>{0} is greater than the maximum of {1}</source>
        <translation>{0} 大于最大值 {1}</translation>
    </message>
    <message>
        <source>{0} is here, but the installed llama.cpp was built without {1}, so models run on the processor. To use it: {2}</source>
        <translation>检测到{0}，但已安装的 llama.cpp 未编译 {1} 支持，因此模型在处理器上运行。启用方法：{2}</translation>
    </message>
    <message>
        <source>{0} is ignored: the request's own {1} is used.</source>
        <translation>{0} 已忽略：使用请求自身的 {1}。</translation>
    </message>
    <message>
        <source>{0} is larger than {1} MB, too large for a template.</source>
        <translation>{0} 大于 {1} MB，作为模板太大。</translation>
    </message>
    <message>
        <source>{0} is larger than {1} MB, too large to be read.</source>
        <translation>{0} 大于 {1} MB，太大，无法读取。</translation>
    </message>
    <message>
        <source>{0} is left out: tool_calls says it in the newer form.</source>
        <translation>{0} 已省略：tool_calls 以新写法说明了同样的内容。</translation>
    </message>
    <message>
        <source>{0} is less than the minimum of {1}</source>
        <translation>{0} 小于最小值 {1}</translation>
    </message>
    <message>
        <source>{0} is missing</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>{0} is missing.</source>
        <translation>缺少 {0}。</translation>
    </message>
    <message>
        <source>{0} is missing; {1} was put there.</source>
        <translation>缺少 {0}；已补上 {1}。</translation>
    </message>
    <message>
        <source>{0} is neither a GGUF model nor UTF-8 text; choose a template or a model.</source>
        <translation>{0} 既不是 GGUF 模型也不是 UTF-8 文本；请选择模板或模型。</translation>
    </message>
    <message>
        <source>{0} is neither a GGUF model nor a text; choose a template or a model.</source>
        <translation>{0} 既不是 GGUF 模型也不是文本；请选择模板或模型。</translation>
    </message>
    <message>
        <source>{0} is nested deeper than {1} levels.</source>
        <translation>{0} 的嵌套超过 {1} 层。</translation>
    </message>
    <message>
        <source>{0} is nested more than {1} levels deep</source>
        <translation>{0} 的嵌套超过 {1} 层</translation>
    </message>
    <message>
        <source>{0} is nested too deeply to be a turn.</source>
        <translation>{0} 嵌套太深，不是轮次文件。</translation>
    </message>
    <message>
        <source>{0} is nested too deeply.</source>
        <translation>{0} 嵌套太深。</translation>
    </message>
    <message>
        <source>{0} is no GGUF file: it doesn't begin with the letters GGUF.</source>
        <translation>{0} 不是 GGUF 文件：开头不是字母 GGUF。</translation>
    </message>
    <message>
        <source>{0} is no JSON value</source>
        <translation>{0} 不是 JSON 值</translation>
    </message>
    <message>
        <source>{0} is no JSON: {1} at {2}.</source>
        <translation>{0} 不是 JSON：{2}处{1}。</translation>
    </message>
    <message>
        <source>{0} is no LoRA adapter but another kind of file. Choose an adapter in GGUF form.</source>
        <translation>{0} 不是 LoRA 适配器，而是其他类型的文件。请选择 GGUF 格式的适配器。</translation>
    </message>
    <message>
        <source>{0} is no UTF-8 text (byte {1}): it is no file of this kind.</source>
        <translation>{0} 不是 UTF-8 文本（第 {1} 字节）：它不是这类文件。</translation>
    </message>
    <message>
        <source>{0} is no boolean; the template tests it as it is.</source>
        <translation>{0} 不是布尔值；模板按原值判断。</translation>
    </message>
    <message>
        <source>{0} is no built-in tool: enter its result by hand.</source>
        <translation>{0} 不是内置工具：请手动输入结果。</translation>
    </message>
    <message>
        <source>{0} is no finite number that JSON can write.</source>
        <translation>{0} 不是 JSON 能写出的有限数。</translation>
    </message>
    <message>
        <source>{0} is no message ({1}).</source>
        <translation>{0} 不是消息（{1}）。</translation>
    </message>
    <message>
        <source>{0} is no sampler stage; the stages are {1}.</source>
        <translation>{0} 不是采样阶段；可用的阶段有 {1}。</translation>
    </message>
    <message>
        <source>{0} is no tokenizer that the library `tokenizers` can load: {1}.</source>
        <translation>{0} 不是 `tokenizers` 库能加载的分词器：{1}。</translation>
    </message>
    <message>
        <source>{0} is no type for the KV cache; choose one of {1}.</source>
        <translation>{0} 不是 KV 缓存的类型；请从 {1} 中选择。</translation>
    </message>
    <message>
        <source>{0} is no valid JSON ({1}); the template was given its text.</source>
        <translation>{0} 不是有效的 JSON（{1}）；已把其文本交给模板。</translation>
    </message>
    <message>
        <source>{0} is no valid JSON: {1}. Fetch it again.</source>
        <translation>{0} 不是有效的 JSON：{1}。请重新获取。</translation>
    </message>
    <message>
        <source>{0} is no ordinary file. Choose a .gguf file.</source>
        <translation>{0} 不是普通文件。请选择一个 .gguf 文件。</translation>
    </message>
    <message>
        <source>{0} is not a GGUF file: it does not begin with the four letters GGUF.</source>
        <translation>{0} 不是 GGUF 文件：开头不是 GGUF 四个字母。</translation>
    </message>
    <message>
        <source>{0} is not a model that writes text from left to right, so it cannot chat.</source>
        <translation>{0} 不是从左到右写文本的模型，因此无法聊天。</translation>
    </message>
    <message>
        <source>{0} is not a multiple of {1}</source>
        <translation>{0} 不是 {1} 的倍数</translation>
    </message>
    <message>
        <source>{0} is not a {1}</source>
        <translation>{0} 不是 {1}</translation>
    </message>
    <message>
        <source>{0} is not as Cutaway writes it ({1}: {2}).</source>
        <translation>{0} 与 Cutaway 的写法不符（{1}：{2}）。</translation>
    </message>
    <message>
        <source>{0} is not enforced</source>
        <translation>{0} 不强制</translation>
    </message>
    <message>
        <source>{0} is not enforced among so many properties</source>
        <translation>属性过多时 {0} 不强制</translation>
    </message>
    <message>
        <source>{0} is not enforced among tagged arguments</source>
        <translation>{0} 在标签式参数中不强制</translation>
    </message>
    <message>
        <source>{0} is not known here and not enforced</source>
        <translation>这里不认识 {0}，不强制</translation>
    </message>
    <message>
        <source>{0} is not of type {1}</source>
        <translation>{0} 的类型不是 {1}</translation>
    </message>
    <message>
        <source>{0} is not one of {1}</source>
        <translation>{0} 不在 {1} 之中</translation>
    </message>
    <message>
        <source>{0} is not safely callable</source>
        <translation>{0} 不能安全地调用</translation>
    </message>
    <message>
        <source>{0} is not valid under any of the given schemas</source>
        <translation>{0} 不符合任何给定的 schema</translation>
    </message>
    <message>
        <source>{0} is null; read as an object without members.</source>
        <translation>{0} 为 null；按没有成员的对象读取。</translation>
    </message>
    <message>
        <source>{0} is of type {1}, which this template can't take.</source>
        <translation>{0} 的类型是 {1}，此模板无法接受。</translation>
    </message>
    <message>
        <source>{0} is of type {1}; it was read as text.</source>
        <translation>{0} 的类型是 {1}；已按文本读取。</translation>
    </message>
    <message>
        <source>{0} is one part of a split model of {1} parts, under another name. Give all of them their names again, like NAME-00001-of-{2}.gguf, and open the first.</source>
        <translation>{0} 是由 {1} 个部分组成的拆分模型的一部分，但文件名已更改。请将所有部分改回原名，如 NAME-00001-of-{2}.gguf，再打开第一个。</translation>
    </message>
    <message>
        <source>{0} is one part of a split model, and {1} missing. Fetch all parts.</source>
        <translation>{0} 是分卷模型的一部分，缺少{1}。请获取所有分卷。</translation>
    </message>
    <message>
        <source>{0} is the result of no call; {1} stands in for its function's name.</source>
        <translation>{0} 不是任何调用的结果；以 {1} 代替其函数名。</translation>
    </message>
    <message>
        <source>{0} is too long</source>
        <translation>{0} 太长</translation>
    </message>
    <message>
        <source>{0} is too short</source>
        <translation>{0} 太短</translation>
    </message>
    <message>
        <source>{0} is too short to be a GGUF file. Choose another file or fetch it again.</source>
        <translation>{0} 太短，不是 GGUF 文件。请选择其他文件或重新获取。</translation>
    </message>
    <message>
        <source>{0} is {1}, no object; the template was given it as it is.</source>
        <translation>{0} 是 {1}，不是对象；已按原样交给模板。</translation>
    </message>
    <message>
        <source>{0} is {1}, not a list.</source>
        <translation>{0} 是 {1}，不是列表。</translation>
    </message>
    <message>
        <source>{0} is {1}, which JSON doesn't have.</source>
        <translation>{0} 是 {1}，JSON 中没有这种值。</translation>
    </message>
    <message>
        <source>{0} is {1}, which this template doesn't take</source>
        <translation>{0} 是 {1}，此模板不接受</translation>
    </message>
    <message>
        <source>{0} is {1}.</source>
        <translation>{0} 是{1}。</translation>
    </message>
    <message>
        <source>{0} is {1}; this template knows {2}.</source>
        <translation>{0} 是 {1}；此模板认识 {2}。</translation>
    </message>
    <message>
        <source>{0} is {1}; this version of Cutaway reads up to {2}. Install a newer one.</source>
        <translation>{0} 是 {1}；此版本的 Cutaway 最高读取到 {2}。请安装更新的版本。</translation>
    </message>
    <message>
        <source>{0} is {1}; without Jinja only the usual roles are known.</source>
        <translation>{0} 是 {1}；不使用 Jinja 时只认识常见角色。</translation>
    </message>
    <message>
        <source>{0} lacks descriptions; empty ones were put there.</source>
        <translation>{0} 缺少描述；已补上空描述。</translation>
    </message>
    <message>
        <source>{0} long tool results</source>
        <translation>{0} 个很长的工具结果</translation>
    </message>
    <message>
        <source>{0} messages from message {1} on were replaced by one.</source>
        <translation>从第 {1} 条消息起的 {0} 条消息被一条代替。</translation>
    </message>
    <message>
        <source>{0} messages were</source>
        <translation>{0} 条消息</translation>
    </message>
    <message>
        <source>{0} must be a conversation: an object with `messages`, or a list of them.</source>
        <translation>{0} 必须是对话：带 `messages` 的对象，或由它们组成的列表。</translation>
    </message>
    <message>
        <source>{0} must be a list, not {1}.</source>
        <translation>{0} 必须是列表，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0} must be a list.</source>
        <translation>{0} 必须是列表。</translation>
    </message>
    <message>
        <source>{0} must be a string, a list of parts or null, not {1}.</source>
        <translation>{0} 必须是字符串、分段列表或 null，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0} must be an object with `message`.</source>
        <translation>{0} 必须是带 `message` 的对象。</translation>
    </message>
    <message>
        <source>{0} must be an object, not {1}.</source>
        <translation>{0} 必须是对象，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0} must be text.</source>
        <translation>{0} 必须是文本。</translation>
    </message>
    <message>
        <source>{0} must be true, false, "content" or "reasoning_content".</source>
        <translation>{0} 必须是 true、false、"content" 或 "reasoning_content"。</translation>
    </message>
    <message>
        <source>{0} must be {1}, not {2}.</source>
        <translation>{0} 必须是{1}，而不是 {2}。</translation>
    </message>
    <message>
        <source>{0} must be {1}.</source>
        <translation>{0} 必须是{1}。</translation>
    </message>
    <message>
        <source>{0} names no call; by its place it was taken for the result of {1}.</source>
        <translation>{0} 没有指明调用；按其位置视为 {1} 的结果。</translation>
    </message>
    <message>
        <source>{0} needs an assistant message at the end of messages.</source>
        <translation>{0} 要求 messages 以助手消息结尾。</translation>
    </message>
    <message>
        <source>{0} of its parts are</source>
        <translation>其 {0} 个分卷</translation>
    </message>
    <message>
        <source>{0} of the runtime {1} is not the file that was built. Install it again.</source>
        <translation>运行库 {1} 的 {0} 不是构建时的文件。请重新安装。</translation>
    </message>
    <message>
        <source>{0} requires {1}, which it does not allow.</source>
        <translation>{0} 要求 {1}，却又不允许它。</translation>
    </message>
    <message>
        <source>{0} requires {1}, which its propertyNames do not allow.</source>
        <translation>{0} 要求 {1}，但其 propertyNames 不允许。</translation>
    </message>
    <message>
        <source>{0} should be non-empty</source>
        <translation>{0} 不应为空</translation>
    </message>
    <message>
        <source>{0} spells control tokens or markers of this model: {1}. Sent as plain text.</source>
        <translation>{0} 中出现此模型的控制 token 或标记：{1}。已按普通文本发送。</translation>
    </message>
    <message>
        <source>{0} spells {1}, which would have become the {2} {3}; it is sent as text.</source>
        <translation>{0} 中出现 {1}，本会变成{2} {3}；现按文本发送。</translation>
    </message>
    <message>
        <source>{0} takes the request beyond {1} characters; send less.</source>
        <translation>加上 {0} 后请求超过 {1} 个字符；请减少内容。</translation>
    </message>
    <message>
        <source>{0} takes the request beyond {1} values.</source>
        <translation>加上 {0} 后请求超过 {1} 个值。</translation>
    </message>
    <message>
        <source>{0} tokens that were the same are fed again, from {1}</source>
        <translation>{0} 个相同的 token 从{1}起重新送入</translation>
    </message>
    <message>
        <source>{0} wants {1} properties, and none can be written.</source>
        <translation>{0} 要求 {1} 个属性，但一个也无法写出。</translation>
    </message>
    <message>
        <source>{0} was edited.</source>
        <translation>{0} 已被编辑。</translation>
    </message>
    <message>
        <source>{0} was expected</source>
        <translation>应为 {0}</translation>
    </message>
    <message>
        <source>{0} was put behind {1}.content: {2}</source>
        <translation>{0} 已放到 {1}.content 之后：{2}</translation>
    </message>
    <message>
        <source>{0} was put into an object, as its member `arguments`.</source>
        <translation>{0} 已放入对象，作为其成员 `arguments`。</translation>
    </message>
    <message>
        <source>{0} was written by a newer version of Cutaway (schema {1}, this one knows {2}). Install that version again, or set CUTAWAY_HOME to start with an empty store; nothing was changed.</source>
        <translation>{0} 由更新版本的 Cutaway 写入（架构 {1}，此版本认识 {2}）。请重新安装那个版本，或设置 CUTAWAY_HOME 以空存储启动；没有改动任何内容。</translation>
    </message>
    <message>
        <source>{0} went</source>
        <translation>去掉 {0}</translation>
    </message>
    <message>
        <source>{0} with nothing before it</source>
        <translation>前面没有内容的 {0}</translation>
    </message>
    <message>
        <source>{0} would need {1} GB of memory with these settings and {2} GB are free. Load it with a smaller context or a smaller KV type, or close other programs.</source>
        <translation>按这些设置，{0} 需要 {1} GB 内存，而可用内存为 {2} GB。请用更小的上下文或更小的 KV 类型加载，或关闭其他程序。</translation>
    </message>
    <message>
        <source>{0}, the older form, was read as a tool call.</source>
        <translation>旧写法 {0} 已按工具调用读取。</translation>
    </message>
    <message>
        <source>{0}, which asks for chatml</source>
        <translation>{0}，它要求 chatml</translation>
    </message>
    <message>
        <source>{0}.content began with {1}; that block was given to the template as reasoning.</source>
        <translation>{0}.content 以 {1} 开头；该块已作为思考交给模板。</translation>
    </message>
    <message>
        <source>{0}.content is a list; the template takes text, so its parts were joined.</source>
        <translation>{0}.content 是列表；模板接受文本，因此各部分已合并。</translation>
    </message>
    <message>
        <source>{0}.content is null; read as an empty text.</source>
        <translation>{0}.content 为 null；按空文本读取。</translation>
    </message>
    <message>
        <source>{0}.content says {1} itself; it stays as it is.</source>
        <translation>{0}.content 自身写有 {1}；保持不变。</translation>
    </message>
    <message>
        <source>{0}.id must be text that no other message has.</source>
        <translation>{0}.id 必须是其他消息都没有的文本。</translation>
    </message>
    <message>
        <source>{0}.parameters is null: read as no parameters.</source>
        <translation>{0}.parameters 为 null：按没有参数读取。</translation>
    </message>
    <message>
        <source>{0}.parent names {1}, which is no message before it.</source>
        <translation>{0}.parent 指定了 {1}，但它之前没有这条消息。</translation>
    </message>
    <message>
        <source>{0}.reasoning_content must be a string, not {1}.</source>
        <translation>{0}.reasoning_content 必须是字符串，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0}.type is {1}; it can be text, json_object or json_schema.</source>
        <translation>{0}.type 是 {1}；可以是 text、json_object 或 json_schema。</translation>
    </message>
    <message>
        <source>{0}.type is {1}; only function tools can be offered.</source>
        <translation>{0}.type 是 {1}；只能提供 function 类型的工具。</translation>
    </message>
    <message>
        <source>{0}.type must be function, the only kind of call there is.</source>
        <translation>{0}.type 必须是 function，这是唯一的调用种类。</translation>
    </message>
    <message>
        <source>{0}/properties is {1}, not an object.</source>
        <translation>{0}/properties 是 {1}，不是对象。</translation>
    </message>
    <message>
        <source>{0}/required is not a list of names.</source>
        <translation>{0}/required 不是名称列表。</translation>
    </message>
    <message>
        <source>{0}/{1} is empty: no value can satisfy it.</source>
        <translation>{0}/{1} 为空：没有值能满足它。</translation>
    </message>
    <message>
        <source>{0}: the request holds more than {1} values</source>
        <translation>{0}：请求包含超过 {1} 个值</translation>
    </message>
    <message>
        <source>{0}; {1} was used.</source>
        <translation>{0}；已改用 {1}。</translation>
    </message>
    <message>
        <source>{0}{1} is the result of no call before it; the template gets it as it is.</source>
        <translation>{0}{1}不是之前任何调用的结果；已按原样交给模板。</translation>
    </message>
    <message>
        <source>The model gave two calls the id {0}: enter the result of the first one first.</source>
        <translation>模型给两个调用使用了同一个 id {0}：请先输入第一个的结果。</translation>
    </message>
    <message>
        <source>characters {0} to {1} are not in a text of {2}</source>
        <translation>字符 {0} 到 {1} 不在长度为 {2} 的文本中</translation>
    </message>
    <message>
        <source>{0} is {1}</source>
        <translation>{0} 为 {1}</translation>
    </message>
    <message>
        <source>its counts do not fit together</source>
        <translation>其中的计数互相矛盾</translation>
    </message>
    <message>
        <source>there is no span {0} or {1} among {2}</source>
        <translation>在 {2} 个片段中没有片段 {0} 或 {1}</translation>
    </message>
    <message>
        <source>{0} at {1} is {2}, not an object.</source>
        <translation>{1} 处的 {0} 是 {2}，而不是对象。</translation>
    </message>
    <message>
        <source>The message was deleted while it was being written.</source>
        <translation>这条消息在写入时被删除了。</translation>
    </message>
    <message>
        <source>{0} spells {1}; here that is text, but most training code makes control tokens of it.</source>
        <translation>{0} 拼写了 {1}；在这里它是文本，但多数训练代码会把它变成控制 token。</translation>
    </message>
    <message>
        <source>{0} was loaded, but it cannot work. {1}</source>
        <translation>{0} 已加载，但无法工作。{1}</translation>
    </message>
</context>
</TS>
