<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>cutaway</name>
    <message>
        <source>, about {0} s</source>
        <translation>，约 {0} 秒</translation>
    </message>
    <message>
        <source>, folded</source>
        <translation>，已折叠</translation>
    </message>
    <message>
        <source>, open</source>
        <translation>，已展开</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token; higher is more varied.</source>
        <translation>0 总是取最可能的 token；越高越多样。</translation>
    </message>
    <message>
        <source>A call and its result</source>
        <translation>一次调用及其结果</translation>
    </message>
    <message>
        <source>A file</source>
        <translation>某个文件</translation>
    </message>
    <message>
        <source>A folder with runtime.json and llama.cpp's libraries, built for a graphics card.</source>
        <translation>含有 runtime.json 和为显卡构建的 llama.cpp 库的文件夹。</translation>
    </message>
    <message>
        <source>About Cutaway</source>
        <translation>关于 Cutaway</translation>
    </message>
    <message>
        <source>Adaptive decay</source>
        <translation>自适应衰减</translation>
    </message>
    <message>
        <source>Adaptive target</source>
        <translation>自适应目标</translation>
    </message>
    <message>
        <source>Add a LoRA adapter</source>
        <translation>添加 LoRA 适配器</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add a folder …</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add a runtime</source>
        <translation>添加运行库</translation>
    </message>
    <message>
        <source>Add a runtime …</source>
        <translation>添加运行库…</translation>
    </message>
    <message>
        <source>Add an adapter …</source>
        <translation>添加适配器…</translation>
    </message>
    <message>
        <source>Advanced sampling</source>
        <translation>高级采样</translation>
    </message>
    <message>
        <source>After so many the loop waits for you.</source>
        <translation>达到此数后循环等待你。</translation>
    </message>
    <message>
        <source>Against repeated phrases; 0 is off.</source>
        <translation>抑制重复短语；0 为关闭。</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>所有命令</translation>
    </message>
    <message>
        <source>All commands …</source>
        <translation>所有命令…</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Allowed so far, but it may not end here.</source>
        <translation>到此允许，但还不能结束。</translation>
    </message>
    <message>
        <source>Allowed up to character {0}, then {1} does not fit.</source>
        <translation>前 {0} 个字符允许，之后的 {1} 不符合。</translation>
    </message>
    <message>
        <source>Allowed, and it may end here.</source>
        <translation>允许，并且可以在此结束。</translation>
    </message>
    <message>
        <source>Another template for this model: a path, or chatml; empty takes its own.</source>
        <translation>此模型的另一个模板：路径或 chatml；留空则用自带的。</translation>
    </message>
    <message>
        <source>Answer now</source>
        <translation>立即回答</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>As installed</source>
        <translation>随程序安装的</translation>
    </message>
    <message>
        <source>As other programs do</source>
        <translation>与其他程序相同</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>As the template does</source>
        <translation>由模板决定</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Assistant text</source>
        <translation>助手文本</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Avoided by: {0}</source>
        <translation>可这样避免：{0}</translation>
    </message>
    <message>
        <source>Ban this token</source>
        <translation>禁用此 token</translation>
    </message>
    <message>
        <source>Batch, tokens</source>
        <translation>批大小（token）</translation>
    </message>
    <message>
        <source>Begun reply</source>
        <translation>已开头的回复</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>Blanks and newlines</source>
        <translation>空格和换行</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Blocks of the reply</source>
        <translation>回复的块</translation>
    </message>
    <message>
        <source>Both prompts are the same.</source>
        <translation>两个提示词相同。</translation>
    </message>
    <message>
        <source>Both write the same prompt.</source>
        <translation>两者写出相同的提示词。</translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>Boundary lab</source>
        <translation>边界实验室</translation>
    </message>
    <message>
        <source>Branch from here</source>
        <translation>从此处分支</translation>
    </message>
    <message>
        <source>Broke at token {0} ({1})</source>
        <translation>在第 {0} 个 token 处中断（{1}）</translation>
    </message>
    <message>
        <source>Built-in tools</source>
        <translation>内置工具</translation>
    </message>
    <message>
        <source>By name; empty takes the one found.</source>
        <translation>按名称指定；留空则用识别到的。</translation>
    </message>
    <message>
        <source>By part</source>
        <translation>按部分</translation>
    </message>
    <message>
        <source>By the first</source>
        <translation>由第一个</translation>
    </message>
    <message>
        <source>By the second</source>
        <translation>由第二个</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Cache of this turn</source>
        <translation>本轮的缓存</translation>
    </message>
    <message>
        <source>Cache pane</source>
        <translation>缓存面板</translation>
    </message>
    <message>
        <source>Call arguments</source>
        <translation>调用参数</translation>
    </message>
    <message>
        <source>Call {0}</source>
        <translation>调用 {0}</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Candidates kept</source>
        <translation>保留的候选数</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Cases of the round trip</source>
        <translation>往返用例</translation>
    </message>
    <message>
        <source>Changes the prompt</source>
        <translation>改变前文</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Choose a model …</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Choose another model …</source>
        <translation>选择其他模型…</translation>
    </message>
    <message>
        <source>Close the settings</source>
        <translation>关闭设置</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令列表</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare pane</source>
        <translation>比较面板</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>计算缓冲区</translation>
    </message>
    <message>
        <source>Content in parts</source>
        <translation>分段内容</translation>
    </message>
    <message>
        <source>Context in use</source>
        <translation>使用中的上下文</translation>
    </message>
    <message>
        <source>Continuation</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue the reply</source>
        <translation>继续回复</translation>
    </message>
    <message>
        <source>Control tokens as text</source>
        <translation>文本形式的控制 token</translation>
    </message>
    <message>
        <source>Control tokens from input</source>
        <translation>来自输入的控制 token</translation>
    </message>
    <message>
        <source>Control tokens in input</source>
        <translation>输入中的控制 token</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Copied: versions and the system, nothing of a conversation.</source>
        <translation>已复制：版本和系统信息，不含任何对话内容。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Copy of the template</source>
        <translation>模板副本</translation>
    </message>
    <message>
        <source>Copy selection</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Image: {0}</source>
        <translation>图片：{0}</translation>
    </message>
    <message>
        <source>No model was found on this machine. Fetch a GGUF file and open it here, or add its folder.</source>
        <translation>本机上没有找到模型。请获取一个 GGUF 文件并在此打开，或添加其所在文件夹。</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>到末尾</translation>
    </message>
    <message>
        <source>To the end (End)</source>
        <translation>到末尾（End）</translation>
    </message>
    <message>
        <source>Copy the error</source>
        <translation>复制错误</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Cost: {0} held tokens given up.</source>
        <translation>代价：放弃了 {0} 个已缓存的 token。</translation>
    </message>
    <message>
        <source>Cutaway, all branches</source>
        <translation>Cutaway，全部分支</translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation>DRY 底数</translation>
    </message>
    <message>
        <source>DRY breakers</source>
        <translation>DRY 断点</translation>
    </message>
    <message>
        <source>DRY free length</source>
        <translation>DRY 免罚长度</translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation>DRY 强度</translation>
    </message>
    <message>
        <source>DRY window</source>
        <translation>DRY 窗口</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Declared</source>
        <translation>声明类型</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the message</source>
        <translation>删除消息</translation>
    </message>
    <message>
        <source>Deleted.</source>
        <translation>已删除。</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Developer role</source>
        <translation>开发者角色</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices of this build</source>
        <translation>此构建支持的设备</translation>
    </message>
    <message>
        <source>Devices; none checked: chosen by the engine</source>
        <translation>设备（不勾选则由引擎选择）</translation>
    </message>
    <message>
        <source>Difference by tokens</source>
        <translation>按 token 比较</translation>
    </message>
    <message>
        <source>Difference with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>Do so in this conversation</source>
        <translation>在本会话中这样做</translation>
    </message>
    <message>
        <source>Don't send</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Dynamic temperature</source>
        <translation>动态温度</translation>
    </message>
    <message>
        <source>Earlier reasoning</source>
        <translation>之前的思考</translation>
    </message>
    <message>
        <source>Earlier reply</source>
        <translation>之前的回复</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit the message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <source>End of the conversation</source>
        <translation>对话末尾</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>English or 简体中文</source>
        <translation>English 或 简体中文</translation>
    </message>
    <message>
        <source>Enter what the tool answers</source>
        <translation>输入工具返回的内容</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Export this conversation</source>
        <translation>导出此对话</translation>
    </message>
    <message>
        <source>Export this conversation …</source>
        <translation>导出此对话…</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Facts about the model</source>
        <translation>模型信息</translation>
    </message>
    <message>
        <source>Facts about the template</source>
        <translation>模板信息</translation>
    </message>
    <message>
        <source>Favour this token</source>
        <translation>偏好此 token</translation>
    </message>
    <message>
        <source>Fed after Send</source>
        <translation>发送后送入</translation>
    </message>
    <message>
        <source>Fed while idle</source>
        <translation>空闲时送入</translation>
    </message>
    <message>
        <source>Feeds what the next turn will surely need.</source>
        <translation>预先送入下一轮必定需要的内容。</translation>
    </message>
    <message>
        <source>Feeds your message up to its last whole word before you send it.</source>
        <translation>在发送之前，先把消息送入模型，直到最后一个完整的词。</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Finds out which stage removed each candidate; slower.</source>
        <translation>找出每个候选被哪个阶段移除；较慢。</translation>
    </message>
    <message>
        <source>First</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个 token</translation>
    </message>
    <message>
        <source>Folders of models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Folders …</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>For tokens that came at all; 0 is off.</source>
        <translation>对出现过的 token；0 为关闭。</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Format as found</source>
        <translation>自动识别的格式</translation>
    </message>
    <message>
        <source>Found {0} times</source>
        <translation>找到 {0} 处</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Full cache for sliding-window layers</source>
        <translation>滑动窗口层使用完整缓存</translation>
    </message>
    <message>
        <source>Further variables as JSON.</source>
        <translation>其他变量，JSON 格式。</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>已生成</translation>
    </message>
    <message>
        <source>Generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>Grammar in GBNF</source>
        <translation>GBNF 语法</translation>
    </message>
    <message>
        <source>Grows with how often a token came; 0 is off.</source>
        <translation>随 token 出现次数增大；0 为关闭。</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>热度</translation>
    </message>
    <message>
        <source>Heat by probability</source>
        <translation>按概率着色</translation>
    </message>
    <message>
        <source>Heat by time</source>
        <translation>按时间着色</translation>
    </message>
    <message>
        <source>Held before</source>
        <translation>之前持有</translation>
    </message>
    <message>
        <source>Held before and given up</source>
        <translation>之前持有、现已放弃</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Here you will see every token as it is sampled: its probability, and what else the model considered.</source>
        <translation>这里会显示采样的每个 token：它的概率，以及模型考虑过的其他选项。</translation>
    </message>
    <message>
        <source>Here you will see how much of each turn was already in the model's cache, and why it broke if it did.</source>
        <translation>这里会显示每一轮有多少内容已在模型缓存中，以及缓存为何中断。</translation>
    </message>
    <message>
        <source>Here you will see how the model's output is read: reasoning, content and tool calls, and each repair.</source>
        <translation>这里会显示模型输出如何被解析：思考、正文、工具调用以及每一处修复。</translation>
    </message>
    <message>
        <source>Here you will see the chat template: its source, what it can do, and how its replies are read.</source>
        <translation>这里会显示聊天模板：源码、能力，以及如何解析其回复。</translation>
    </message>
    <message>
        <source>Here you will see the exact text the model reads, each character coloured by where it came from.</source>
        <translation>这里会显示模型读到的确切文本，每个字符按来源着色。</translation>
    </message>
    <message>
        <source>Here you will see the loaded model: its sizes and licence, the memory it takes, and what it runs on.</source>
        <translation>这里会显示已加载的模型：大小、许可证、占用的内存以及运行设备。</translation>
    </message>
    <message>
        <source>High effort</source>
        <translation>高强度</translation>
    </message>
    <message>
        <source>History is rewritten in: {0}.</source>
        <translation>历史被改写：{0}。</translation>
    </message>
    <message>
        <source>How far back DRY looks; -1 for all.</source>
        <translation>DRY 回看的范围；-1 为全部。</translation>
    </message>
    <message>
        <source>How far temperature moves with the entropy; 0 is off.</source>
        <translation>温度随熵变化的幅度；0 为关闭。</translation>
    </message>
    <message>
        <source>How fast it is corrected.</source>
        <translation>修正的速度。</translation>
    </message>
    <message>
        <source>How fast the DRY penalty grows with the phrase.</source>
        <translation>DRY 惩罚随短语增长的速度。</translation>
    </message>
    <message>
        <source>How many recent tokens the penalties look at; -1 for all.</source>
        <translation>惩罚考察的最近 token 数；-1 为全部。</translation>
    </message>
    <message>
        <source>How many the Tokens pane can show; 0 switches its numbers off.</source>
        <translation>Token 面板可显示的数量；0 关闭统计。</translation>
    </message>
    <message>
        <source>How often the likeliest tokens are left out; 0 is off.</source>
        <translation>略去最可能 token 的频率；0 为关闭。</translation>
    </message>
    <message>
        <source>How strictly to read</source>
        <translation>解析的严格程度</translation>
    </message>
    <message>
        <source>How strongly it changes the model: 1 as it was trained, 0 not at all.</source>
        <translation>对模型的影响强度：1 为训练时的强度，0 为不起作用。</translation>
    </message>
    <message>
        <source>How to load it</source>
        <translation>如何加载</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Import conversations</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>Import conversations …</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Injection through a tool</source>
        <translation>经由工具的注入</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>It is used from the next start on.</source>
        <translation>从下次启动起使用。</translation>
    </message>
    <message>
        <source>It rewrites history: the cache will break at every turn.</source>
        <translation>它会改写历史：缓存每一轮都会中断。</translation>
    </message>
    <message>
        <source>Its exponent</source>
        <translation>其指数</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>JSON Lines for fine-tuning, with the assistant mask</source>
        <translation>JSON Lines，用于微调，含助手掩码</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Keeps the cache whole where the template allows it; costs context.</source>
        <translation>在模板允许时保持缓存完整；占用上下文。</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keyword</source>
        <translation>关键字</translation>
    </message>
    <message>
        <source>Knobs: variables it reads</source>
        <translation>旋钮：它读取的变量</translation>
    </message>
    <message>
        <source>Larger context</source>
        <translation>更大的上下文</translation>
    </message>
    <message>
        <source>Layout: Cache</source>
        <translation>布局：缓存</translation>
    </message>
    <message>
        <source>Layout: Chat</source>
        <translation>布局：聊天</translation>
    </message>
    <message>
        <source>Layout: Prompt</source>
        <translation>布局：提示词</translation>
    </message>
    <message>
        <source>Layout: Template</source>
        <translation>布局：模板</translation>
    </message>
    <message>
        <source>Leave out old messages</source>
        <translation>省略旧消息</translation>
    </message>
    <message>
        <source>Leave this token alone</source>
        <translation>不干预此 token</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Line {0}, {1}: {2}</source>
        <translation>第 {0} 行，{1}：{2}</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>Load as before</source>
        <translation>照旧加载</translation>
    </message>
    <message>
        <source>Load with safer settings</source>
        <translation>用更安全的设置加载</translation>
    </message>
    <message>
        <source>Loading {0} …</source>
        <translation>正在加载 {0}…</translation>
    </message>
    <message>
        <source>Lock the memory</source>
        <translation>锁定内存</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>最长回复</translation>
    </message>
    <message>
        <source>Look and language</source>
        <translation>外观和语言</translation>
    </message>
    <message>
        <source>Low effort</source>
        <translation>低强度</translation>
    </message>
    <message>
        <source>MIT licence.</source>
        <translation>MIT 许可证。</translation>
    </message>
    <message>
        <source>Makes recent tokens less likely; 1 is off.</source>
        <translation>降低最近 token 的概率；1 为关闭。</translation>
    </message>
    <message>
        <source>Markdown, to be read</source>
        <translation>Markdown，供阅读</translation>
    </message>
    <message>
        <source>Markers from input</source>
        <translation>来自输入的标记</translation>
    </message>
    <message>
        <source>Medium effort</source>
        <translation>中强度</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Metadata of the file</source>
        <translation>文件元数据</translation>
    </message>
    <message>
        <source>Micro-batch, tokens</source>
        <translation>微批大小（token）</translation>
    </message>
    <message>
        <source>Min p</source>
        <translation>Min p</translation>
    </message>
    <message>
        <source>Mirostat</source>
        <translation>Mirostat</translation>
    </message>
    <message>
        <source>Mirostat rate</source>
        <translation>Mirostat 速率</translation>
    </message>
    <message>
        <source>Mirostat target</source>
        <translation>Mirostat 目标</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model pane</source>
        <translation>模型面板</translation>
    </message>
    <message>
        <source>Models and engine</source>
        <translation>模型和引擎</translation>
    </message>
    <message>
        <source>Models and templates</source>
        <translation>模型和模板</translation>
    </message>
    <message>
        <source>Models are read where they lie: nothing is copied or moved. Folders of other programs that are on this machine are looked through as well.</source>
        <translation>模型在原位置直接读取，不会复制或移动。本机上其他程序的模型文件夹也会一并查找。</translation>
    </message>
    <message>
        <source>More for the prompt</source>
        <translation>提示词的更多操作</translation>
    </message>
    <message>
        <source>Move held text (approximate)</source>
        <translation>移动已缓存的文本（近似）</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>Moved, approximate</source>
        <translation>已移动，近似</translation>
    </message>
    <message>
        <source>Neutral</source>
        <translation>中和</translation>
    </message>
    <message>
        <source>Neutral never lets input become one.</source>
        <translation>中和绝不让输入变成控制 token。</translation>
    </message>
    <message>
        <source>Neutralised control text</source>
        <translation>已中和的控制文本</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation>新对话（Ctrl+N）</translation>
    </message>
    <message>
        <source>Next may come {0}.</source>
        <translation>接下来可以是 {0}。</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>下一条消息</translation>
    </message>
    <message>
        <source>Next turn: {0} of {1} tokens of its stable prefix held, {2}.</source>
        <translation>下一轮：稳定前缀的 {1} 个 token 中已持有 {0} 个，{2}。</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>No candidates were kept.</source>
        <translation>没有保留候选项。</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>不比较</translation>
    </message>
    <message>
        <source>No grammar was in force: nothing kept the model to a form.</source>
        <translation>没有语法生效：模型的输出形式不受约束。</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>No model is open yet. Those of LM Studio, Ollama, Hugging Face, Jan and GPT4All that are on this machine can be chosen; any other GGUF file can be opened, or dropped here.</source>
        <translation>还没有打开模型。可以选择本机上 LM Studio、Ollama、Hugging Face、Jan 和 GPT4All 的模型；其他 GGUF 文件可以打开，或拖到这里。</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Of these approximate</source>
        <translation>其中近似</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Off leaves it in the text of the reply.</source>
        <translation>关闭则留在回复文本中。</translation>
    </message>
    <message>
        <source>Off lets llama.cpp render: no tools, no reasoning.</source>
        <translation>关闭则由 llama.cpp 渲染：没有工具，没有思考。</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>One call</source>
        <translation>一次调用</translation>
    </message>
    <message>
        <source>One question</source>
        <translation>一个问题</translation>
    </message>
    <message>
        <source>Only the k likeliest tokens are considered; 0 for all.</source>
        <translation>只考虑最可能的 k 个 token；0 为全部。</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together have this probability.</source>
        <translation>只考虑累计概率达到此值的最可能 token。</translation>
    </message>
    <message>
        <source>Only tokens at least this likely against the likeliest.</source>
        <translation>只考虑相对最可能者至少达到此概率的 token。</translation>
    </message>
    <message>
        <source>Open a file …</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Open a model first: its template and vocabulary are what is tried.</source>
        <translation>请先打开一个模型：这里试验的是它的模板和词表。</translation>
    </message>
    <message>
        <source>Open a model or a template</source>
        <translation>打开模型或模板</translation>
    </message>
    <message>
        <source>Open a model or a template …</source>
        <translation>打开模型或模板…</translation>
    </message>
    <message>
        <source>Open a model …</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Open a template</source>
        <translation>打开模板</translation>
    </message>
    <message>
        <source>Open a template …</source>
        <translation>打开模板…</translation>
    </message>
    <message>
        <source>Open a turn file</source>
        <translation>打开轮次文件</translation>
    </message>
    <message>
        <source>Open a turn file …</source>
        <translation>打开轮次文件…</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Open this link in the browser?</source>
        <translation>在浏览器中打开此链接？</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>OpenAI JSON, this branch</source>
        <translation>OpenAI JSON，当前分支</translation>
    </message>
    <message>
        <source>OpenAI definitions as JSON, or signatures such as: def add(a: int, b: int) -&gt; int.</source>
        <translation>OpenAI 定义（JSON），或函数签名，例如：def add(a: int, b: int) -&gt; int。</translation>
    </message>
    <message>
        <source>Order of the stages</source>
        <translation>阶段顺序</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Ours</source>
        <translation>本程序</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Parallel calls</source>
        <translation>并行调用</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste a model's output here to see how it reads</source>
        <translation>在此粘贴模型输出，查看它如何被解析</translation>
    </message>
    <message>
        <source>Pasted output</source>
        <translation>粘贴的输出</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>注入内容</translation>
    </message>
    <message>
        <source>Piece</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Prepare the next turn while idle</source>
        <translation>空闲时准备下一轮</translation>
    </message>
    <message>
        <source>Read along while you type</source>
        <translation>输入时提前读取</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Press a candidate to continue the reply from there as a new branch.</source>
        <translation>点击候选项，以新分支从该处继续回复。</translation>
    </message>
    <message>
        <source>Preview of the prompt</source>
        <translation>提示词预览</translation>
    </message>
    <message>
        <source>Previous message</source>
        <translation>上一条消息</translation>
    </message>
    <message>
        <source>Previous turn</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Prob.</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Probability, mean {0}</source>
        <translation>概率，平均 {0}</translation>
    </message>
    <message>
        <source>Probes</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompt pane</source>
        <translation>提示词面板</translation>
    </message>
    <message>
        <source>Prompt text</source>
        <translation>提示词文本</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Raw output</source>
        <translation>原始输出</translation>
    </message>
    <message>
        <source>Raw value</source>
        <translation>原始值</translation>
    </message>
    <message>
        <source>Read by the first</source>
        <translation>第一个的读法</translation>
    </message>
    <message>
        <source>Read by the second</source>
        <translation>第二个的读法</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Reasoning in history</source>
        <translation>历史中的思考</translation>
    </message>
    <message>
        <source>Reasoning: {0}</source>
        <translation>思考：{0}</translation>
    </message>
    <message>
        <source>Refused: {0}.</source>
        <translation>被拒绝：{0}。</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Regenerate the reply</source>
        <translation>重新生成回复</translation>
    </message>
    <message>
        <source>Remove it from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename …</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Render with Jinja</source>
        <translation>用 Jinja 渲染</translation>
    </message>
    <message>
        <source>Rendering known messages and reading them back …</source>
        <translation>正在渲染已知消息并读回…</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>已修复</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Repeat window</source>
        <translation>重复窗口</translation>
    </message>
    <message>
        <source>Repeats up to this length are free.</source>
        <translation>不超过此长度的重复不受罚。</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Reply format</source>
        <translation>回复格式</translation>
    </message>
    <message>
        <source>Reply pane</source>
        <translation>回复面板</translation>
    </message>
    <message>
        <source>Request as JSON</source>
        <translation>JSON 请求</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Response format</source>
        <translation>响应格式</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Restored from</source>
        <translation>恢复自</translation>
    </message>
    <message>
        <source>Result of the call</source>
        <translation>调用结果</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>Role changes</source>
        <translation>角色切换</translation>
    </message>
    <message>
        <source>Role changes that the text would cause: {0} whole, {1} by part, {2} ours.</source>
        <translation>该文本会引起的角色切换：整体 {0} 次，分段 {1} 次，本程序 {2} 次。</translation>
    </message>
    <message>
        <source>Rounds of calls</source>
        <translation>调用轮数</translation>
    </message>
    <message>
        <source>Runs GGUF models on this machine and shows what chat programs hide. Nothing leaves the machine.</source>
        <translation>在本机运行 GGUF 模型，并显示聊天程序通常隐藏的一切。任何内容都不会离开本机。</translation>
    </message>
    <message>
        <source>Runs of so many tokens behind a break are moved, not fed; 0 is off.</source>
        <translation>断点之后至少这么多 token 的连续片段会被移动而不是重新送入；0 为关闭。</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Sample conversation</source>
        <translation>示例对话</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Save as a web page</source>
        <translation>保存为网页</translation>
    </message>
    <message>
        <source>Save this layout</source>
        <translation>保存此布局</translation>
    </message>
    <message>
        <source>Save this layout …</source>
        <translation>保存此布局…</translation>
    </message>
    <message>
        <source>Save this turn as a file</source>
        <translation>将此轮保存为文件</translation>
    </message>
    <message>
        <source>Save this turn as a file …</source>
        <translation>将此轮保存为文件…</translation>
    </message>
    <message>
        <source>Saved as {0}</source>
        <translation>已保存为 {0}</translation>
    </message>
    <message>
        <source>Saved: {0}</source>
        <translation>已保存：{0}</translation>
    </message>
    <message>
        <source>Say when a reply has ended while I was elsewhere</source>
        <translation>我不在时回复完成后通知我</translation>
    </message>
    <message>
        <source>Scale of {0}</source>
        <translation>{0} 的缩放系数</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>搜索所有对话</translation>
    </message>
    <message>
        <source>Search the prompt</source>
        <translation>搜索提示词</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Select a token to see what else the model considered.</source>
        <translation>选择一个 token，查看模型还考虑过什么。</translation>
    </message>
    <message>
        <source>Select a turn first: press one of the model's messages.</source>
        <translation>请先选择一轮：点击模型的某条消息。</translation>
    </message>
    <message>
        <source>Selected: token {0} of {1}; {2}.</source>
        <translation>所选：第 {0} 个 token，共 {1} 个；{2}。</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send (Enter); Shift+Enter begins a new line</source>
        <translation>发送（Enter）；Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Send old reasoning again</source>
        <translation>再次发送旧的思考</translation>
    </message>
    <message>
        <source>Set for the {0}; without it: {1}</source>
        <translation>为{0}设置；否则为：{1}</translation>
    </message>
    <message>
        <source>Set. It counts from the next turn on.</source>
        <translation>已设置，从下一轮起生效。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings of this conversation</source>
        <translation>此对话的设置</translation>
    </message>
    <message>
        <source>Settings …</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Several calls at once</source>
        <translation>同时多个调用</translation>
    </message>
    <message>
        <source>Several turns</source>
        <translation>多轮对话</translation>
    </message>
    <message>
        <source>Shortcut for {0}</source>
        <translation>“{0}”的快捷键</translation>
    </message>
    <message>
        <source>Shorten</source>
        <translation>缩短</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show more of {0} characters</source>
        <translation>展开全部 {0} 个字符</translation>
    </message>
    <message>
        <source>Show reasoning apart</source>
        <translation>单独显示思考</translation>
    </message>
    <message>
        <source>Show the template</source>
        <translation>显示模板</translation>
    </message>
    <message>
        <source>Show what differs from another turn's prompt</source>
        <translation>显示与另一轮提示词的差异</translation>
    </message>
    <message>
        <source>Show {0}</source>
        <translation>显示{0}</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Something unexpected happened: {0}</source>
        <translation>发生了意外情况：{0}</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Speed, mean {0} tokens/s</source>
        <translation>速度，平均 {0} token/秒</translation>
    </message>
    <message>
        <source>Stands before the conversation; empty sends none.</source>
        <translation>位于对话之前；留空则不发送。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止（Esc）</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>停止于</translation>
    </message>
    <message>
        <source>Stopped here.</source>
        <translation>已在此处停止。</translation>
    </message>
    <message>
        <source>Strict</source>
        <translation>严格</translation>
    </message>
    <message>
        <source>String to try</source>
        <translation>要试的字符串</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>System message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>Tags in the text</source>
        <translation>文本中的标签</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Template copy</source>
        <translation>模板副本</translation>
    </message>
    <message>
        <source>Template health</source>
        <translation>模板状况</translation>
    </message>
    <message>
        <source>Template in force</source>
        <translation>生效的模板</translation>
    </message>
    <message>
        <source>Template pane</source>
        <translation>模板面板</translation>
    </message>
    <message>
        <source>Template source</source>
        <translation>模板源码</translation>
    </message>
    <message>
        <source>Template text</source>
        <translation>模板文本</translation>
    </message>
    <message>
        <source>Template variables</source>
        <translation>模板变量</translation>
    </message>
    <message>
        <source>Templates and models</source>
        <translation>模板和模型</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text beside a call</source>
        <translation>调用旁的文本</translation>
    </message>
    <message>
        <source>The conversation is not JSON yet: {0}</source>
        <translation>对话还不是有效的 JSON:{0}</translation>
    </message>
    <message>
        <source>The copy is used for this model from the next turn on.</source>
        <translation>从下一轮起此模型使用该副本。</translation>
    </message>
    <message>
        <source>The grammar held from the first token on.</source>
        <translation>语法从第一个 token 起就生效。</translation>
    </message>
    <message>
        <source>The loaded model gives {0} GB back.</source>
        <translation>当前已加载的模型会归还 {0} GB。</translation>
    </message>
    <message>
        <source>The model used last is no longer there: {0}</source>
        <translation>上次使用的模型已不在：{0}</translation>
    </message>
    <message>
        <source>The model's own template is used.</source>
        <translation>使用模型自带的模板。</translation>
    </message>
    <message>
        <source>The next turn stays a prefix in {0} of {1} samples.</source>
        <translation>在 {1} 个示例中有 {0} 个的下一轮仍保持前缀不变。</translation>
    </message>
    <message>
        <source>The page could not be written: {0}. Choose another folder.</source>
        <translation>无法写入网页：{0}。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The reply ends where it writes one of these; one a line.</source>
        <translation>回复写出其中之一时结束；每行一个。</translation>
    </message>
    <message>
        <source>The reply failed.</source>
        <translation>回复失败。</translation>
    </message>
    <message>
        <source>The reply to “{0}” is there.</source>
        <translation>“{0}”的回复已完成。</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same reply; empty draws a new one.</source>
        <translation>相同的种子和提示词给出相同的回复；留空则随机。</translation>
    </message>
    <message>
        <source>The selected text was generated: it is in the cache after the prompt.</source>
        <translation>所选文本是生成的：它位于缓存中提示词之后。</translation>
    </message>
    <message>
        <source>The variable CUTAWAY_RUNTIME says which one is used.</source>
        <translation>由变量 CUTAWAY_RUNTIME 决定使用哪一个。</translation>
    </message>
    <message>
        <source>The {0} pane could not show this turn: {1}. The other panes go on.</source>
        <translation>{0} 面板无法显示此轮：{1}。其他面板不受影响。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thinking budget</source>
        <translation>思考预算</translation>
    </message>
    <message>
        <source>Thinking switched off</source>
        <translation>关闭思考</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>此对话</translation>
    </message>
    <message>
        <source>This departs from the format that the model was trained with.</source>
        <translation>这偏离了模型训练时的格式。</translation>
    </message>
    <message>
        <source>This template writes no control token that the model knows: its borders are plain text to the model, and no way of tokenising keeps input from writing them.</source>
        <translation>该模板没有写出任何模型认识的控制 token：对模型来说它的边界只是普通文本，任何分词方式都无法阻止输入写出它们。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads for prompts</source>
        <translation>提示用线程数</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Token boundaries</source>
        <translation>token 边界</translation>
    </message>
    <message>
        <source>Token {0}: {1}, id {2}, probability {3}, rank {4}, entropy {5} bits, {6} ms</source>
        <translation>token {0}：{1}，编号 {2}，概率 {3}，名次 {4}，熵 {5} 比特，{6} 毫秒</translation>
    </message>
    <message>
        <source>Tokenise three ways</source>
        <translation>用三种方式分词</translation>
    </message>
    <message>
        <source>Tokenised three ways</source>
        <translation>三种分词结果</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens after which the reply is cut; empty for no limit.</source>
        <translation>达到此 token 数后截断回复；留空为不限。</translation>
    </message>
    <message>
        <source>Tokens by origin</source>
        <translation>按来源统计的 token</translation>
    </message>
    <message>
        <source>Tokens of reasoning after which the answer is asked for.</source>
        <translation>思考达到此 token 数后要求给出答案。</translation>
    </message>
    <message>
        <source>Tokens pane</source>
        <translation>Token 面板</translation>
    </message>
    <message>
        <source>Tolerant</source>
        <translation>宽容</translation>
    </message>
    <message>
        <source>Tolerant repairs drifted output and names each repair.</source>
        <translation>宽容会修复偏离的输出，并指明每处修复。</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Tool choice</source>
        <translation>工具选择</translation>
    </message>
    <message>
        <source>Tool definition</source>
        <translation>工具定义</translation>
    </message>
    <message>
        <source>Tool description</source>
        <translation>工具描述</translation>
    </message>
    <message>
        <source>Tool name</source>
        <translation>工具名称</translation>
    </message>
    <message>
        <source>Tool result</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>Tool result: {0}</source>
        <translation>工具结果：{0}</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools offered</source>
        <translation>提供工具</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Top n σ</source>
        <translation>Top n σ</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>训练上下文</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Try a string: how far does the grammar let it through?</source>
        <translation>试一个字符串：语法允许到哪里？</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try the output</source>
        <translation>试这次的输出</translation>
    </message>
    <message>
        <source>Trying it …</source>
        <translation>正在试用…</translation>
    </message>
    <message>
        <source>Turn {0}</source>
        <translation>第 {0} 轮</translation>
    </message>
    <message>
        <source>Type a few letters of a command</source>
        <translation>输入命令的几个字</translation>
    </message>
    <message>
        <source>Typical p</source>
        <translation>Typical p</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo delete</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Undo the last deletion</source>
        <translation>撤销上次删除</translation>
    </message>
    <message>
        <source>Unicode and blanks</source>
        <translation>Unicode 和空白</translation>
    </message>
    <message>
        <source>Unload the model</source>
        <translation>卸载模型</translation>
    </message>
    <message>
        <source>Unload the model after so many idle minutes</source>
        <translation>空闲多少分钟后卸载模型</translation>
    </message>
    <message>
        <source>Unparsed</source>
        <translation>未解析</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Use for this model</source>
        <translation>用于此模型</translation>
    </message>
    <message>
        <source>Use this turn's output</source>
        <translation>使用本轮的输出</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>User message</source>
        <translation>用户消息</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Version 1</source>
        <translation>版本 1</translation>
    </message>
    <message>
        <source>Version 2</source>
        <translation>版本 2</translation>
    </message>
    <message>
        <source>Version {0} of {1}</source>
        <translation>第 {0} 个版本，共 {1} 个</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Views of the boundary lab</source>
        <translation>边界实验室的视图</translation>
    </message>
    <message>
        <source>Views of the reply</source>
        <translation>回复的各个视图</translation>
    </message>
    <message>
        <source>Views of the template</source>
        <translation>模板的各个视图</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>What happens to a prompt that does not fit.</source>
        <translation>提示词放不下时如何处理。</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较的内容</translation>
    </message>
    <message>
        <source>What new conversations begin with</source>
        <translation>新对话的初始设置</translation>
    </message>
    <message>
        <source>What the grammar makes of the schemas</source>
        <translation>语法如何处理各个模式</translation>
    </message>
    <message>
        <source>What the model considered here:</source>
        <translation>模型在此考虑过：</translation>
    </message>
    <message>
        <source>When the context is full</source>
        <translation>上下文已满时</translation>
    </message>
    <message>
        <source>Where from</source>
        <translation>来自何处</translation>
    </message>
    <message>
        <source>Where is my data</source>
        <translation>我的数据在哪里</translation>
    </message>
    <message>
        <source>Where the ways differ</source>
        <translation>各种方式的不同之处</translation>
    </message>
    <message>
        <source>Whether one reply may make more than one call.</source>
        <translation>一次回复是否可以发起多个调用。</translation>
    </message>
    <message>
        <source>Whether the model reasons before it answers, where its template offers it.</source>
        <translation>模型是否先思考再回答（模板支持时）。</translation>
    </message>
    <message>
        <source>Which stage decided</source>
        <translation>由哪个阶段决定</translation>
    </message>
    <message>
        <source>Which tokens</source>
        <translation>哪些 token</translation>
    </message>
    <message>
        <source>Whole text</source>
        <translation>整段文本</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写一条消息</translation>
    </message>
    <message>
        <source>Write below. What the model reads and writes, and what its cache keeps, is shown beside the conversation.</source>
        <translation>在下方书写。模型读写的内容以及缓存保留的内容都会显示在对话旁边。</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写成</translation>
    </message>
    <message>
        <source>XTC chance</source>
        <translation>XTC 概率</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC 阈值</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Your conversations will be listed here.</source>
        <translation>你的对话会列在这里。</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>自行添加</translation>
    </message>
    <message>
        <source>Your own GBNF; empty for none.</source>
        <translation>你自己的 GBNF；留空则不用。</translation>
    </message>
    <message>
        <source>after the sampler: {0}</source>
        <translation>采样器之后：{0}</translation>
    </message>
    <message>
        <source>allowed by the grammar</source>
        <translation>语法允许</translation>
    </message>
    <message>
        <source>approximated</source>
        <translation>近似</translation>
    </message>
    <message>
        <source>as the settings say</source>
        <translation>按设置</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>begins a turn of {0}</source>
        <translation>开始 {0} 的一轮</translation>
    </message>
    <message>
        <source>being fed while idle</source>
        <translation>正在空闲时送入</translation>
    </message>
    <message>
        <source>blocks: {0}</source>
        <translation>块：{0}</translation>
    </message>
    <message>
        <source>call args</source>
        <translation>调用参数</translation>
    </message>
    <message>
        <source>call id</source>
        <translation>调用编号</translation>
    </message>
    <message>
        <source>call name</source>
        <translation>调用名称</translation>
    </message>
    <message>
        <source>call {0} arguments {1}</source>
        <translation>调用 {0} 的参数 {1}</translation>
    </message>
    <message>
        <source>call {0} ended</source>
        <translation>调用 {0} 结束</translation>
    </message>
    <message>
        <source>call {0} started: {1} {2}</source>
        <translation>调用 {0} 开始：{1} {2}</translation>
    </message>
    <message>
        <source>changes the prompt before it, too</source>
        <translation>也会改变它之前的提示词</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>分通道</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>compared with {0}</source>
        <translation>与 {0} 比较</translation>
    </message>
    <message>
        <source>composed</source>
        <translation>组合而成</translation>
    </message>
    <message>
        <source>content</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>content {0}</source>
        <translation>正文 {0}</translation>
    </message>
    <message>
        <source>control token</source>
        <translation>控制 token</translation>
    </message>
    <message>
        <source>control-token texts neutralised: {0}</source>
        <translation>已中和的控制 token 文本：{0}</translation>
    </message>
    <message>
        <source>conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>decimal</source>
        <translation>十进制</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>ended by {0}</source>
        <translation>结束原因：{0}</translation>
    </message>
    <message>
        <source>ends the turn</source>
        <translation>结束这一轮</translation>
    </message>
    <message>
        <source>enforced</source>
        <translation>已强制</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>fed after Send</source>
        <translation>发送后送入</translation>
    </message>
    <message>
        <source>fed while idle</source>
        <translation>空闲时送入</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>first after {0} ms</source>
        <translation>首个在 {0} 毫秒后</translation>
    </message>
    <message>
        <source>forced</source>
        <translation>强制写入</translation>
    </message>
    <message>
        <source>format: {0}</source>
        <translation>格式：{0}</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>已生成</translation>
    </message>
    <message>
        <source>held</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>idle work is done</source>
        <translation>空闲工作已完成</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>未采用</translation>
    </message>
    <message>
        <source>is a border that the template writes</source>
        <translation>是模板写出的边界</translation>
    </message>
    <message>
        <source>is a control token</source>
        <translation>是控制 token</translation>
    </message>
    <message>
        <source>is a marker, such as of reasoning or calls</source>
        <translation>是标记，例如思考或调用的标记</translation>
    </message>
    <message>
        <source>it was fed after Send</source>
        <translation>它在发送后送入</translation>
    </message>
    <message>
        <source>it was reused from the cache</source>
        <translation>它复用了缓存</translation>
    </message>
    <message>
        <source>markup</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>next turn reuses {0}, feeds {1}</source>
        <translation>下一轮复用 {0}，送入 {1}</translation>
    </message>
    <message>
        <source>nine</source>
        <translation>九个字符</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no call</source>
        <translation>没有调用</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>not allowed by the grammar</source>
        <translation>语法不允许</translation>
    </message>
    <message>
        <source>not applicable</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>not here now</source>
        <translation>当前不可用</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>not stated in the file</source>
        <translation>文件中未说明</translation>
    </message>
    <message>
        <source>object arguments</source>
        <translation>对象形式的参数</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>parallel tool calls</source>
        <translation>并行工具调用</translation>
    </message>
    <message>
        <source>parsed wrongly</source>
        <translation>解析有误</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>positional</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>prefix break</source>
        <translation>前缀中断</translation>
    </message>
    <message>
        <source>preserve reasoning</source>
        <translation>保留思考</translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>reasoning effort</source>
        <translation>思考强度</translation>
    </message>
    <message>
        <source>reasoning {0}</source>
        <translation>思考 {0}</translation>
    </message>
    <message>
        <source>removed by the sampler</source>
        <translation>被采样器移除</translation>
    </message>
    <message>
        <source>removed by {0}</source>
        <translation>被 {0} 移除</translation>
    </message>
    <message>
        <source>repairs: {0}</source>
        <translation>修复：{0}</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>space</source>
        <translation>空白</translation>
    </message>
    <message>
        <source>spells a control token; encoded as plain text, so it has no effect</source>
        <translation>拼写成控制 token；已按普通文本编码，因此不起作用</translation>
    </message>
    <message>
        <source>string content</source>
        <translation>文本正文</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>system role</source>
        <translation>系统角色</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>template drops data</source>
        <translation>模板丢失数据</translation>
    </message>
    <message>
        <source>template line {0}, column {1}</source>
        <translation>模板第 {0} 行，第 {1} 列</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>typed content</source>
        <translation>分段正文</translation>
    </message>
    <message>
        <source>unparsed</source>
        <translation>未解析</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>wrapped</source>
        <translation>有外层标记</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{0} characters</source>
        <translation>{0} 个字符</translation>
    </message>
    <message>
        <source>{0} characters unparsed</source>
        <translation>{0} 个字符未解析</translation>
    </message>
    <message>
        <source>{0} conversations imported.</source>
        <translation>已导入 {0} 个对话。</translation>
    </message>
    <message>
        <source>{0} could not be used: {1}.</source>
        <translation>无法使用 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} for tokens, {1} for prompts</source>
        <translation>生成 {0} 个，提示词 {1} 个</translation>
    </message>
    <message>
        <source>{0} generated</source>
        <translation>已生成 {0} 个</translation>
    </message>
    <message>
        <source>{0} in the prompt</source>
        <translation>提示词中 {0} 个</translation>
    </message>
    <message>
        <source>{0} is nested too deeply.</source>
        <translation>{0} 嵌套太深。</translation>
    </message>
    <message>
        <source>{0} is not JSON: line {1}, column {2}: {3}.</source>
        <translation>{0} 不是 JSON：第 {1} 行第 {2} 列：{3}。</translation>
    </message>
    <message>
        <source>{0} is the shortcut of “{1}” already.</source>
        <translation>{0} 已是“{1}”的快捷键。</translation>
    </message>
    <message>
        <source>{0} lines only in the second, {1} only in the first.</source>
        <translation>仅第二个有 {0} 行，仅第一个有 {1} 行。</translation>
    </message>
    <message>
        <source>{0} lines wrote into this turn's prompt: marked at the left.</source>
        <translation>{0} 行写入了此轮的提示词：已在左侧标出。</translation>
    </message>
    <message>
        <source>{0} models</source>
        <translation>{0} 个模型</translation>
    </message>
    <message>
        <source>{0} of {1} enforced</source>
        <translation>{1} 项中强制了 {0} 项</translation>
    </message>
    <message>
        <source>{0} of {1} tokens ({2}%)</source>
        <translation>{0} / {1} 个 token（{2}%）</translation>
    </message>
    <message>
        <source>{0} takes a whole number, not {1}.</source>
        <translation>{0} 应为整数，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0} things were read otherwise than they were written:</source>
        <translation>有 {0} 处与原文的读法不同：</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} 个 token</translation>
    </message>
    <message>
        <source>{0} tokens fed</source>
        <translation>送入 {0} 个 token</translation>
    </message>
    <message>
        <source>{0} tokens in {1} runs, approximate</source>
        <translation>{1} 段共 {0} 个 token，近似</translation>
    </message>
    <message>
        <source>{0} tokens too many</source>
        <translation>超出 {0} 个 token</translation>
    </message>
    <message>
        <source>{0} tokens, {1}%</source>
        <translation>{0} 个 token，{1}%</translation>
    </message>
    <message>
        <source>{0} tokens/s</source>
        <translation>{0} token/秒</translation>
    </message>
    <message>
        <source>{0}, characters {1} to {2}</source>
        <translation>{0}，第 {1} 到 {2} 个字符</translation>
    </message>
    <message>
        <source>{0}, chosen</source>
        <translation>{0}，已选中</translation>
    </message>
    <message>
        <source>{0}, derived</source>
        <translation>{0}，派生</translation>
    </message>
    <message>
        <source>{0}, probability {1}</source>
        <translation>{0}，概率 {1}</translation>
    </message>
    <message>
        <source>{0}: press to hide or show</source>
        <translation>{0}：点击隐藏或显示</translation>
    </message>
    <message>
        <source>Complete a raw text</source>
        <translation>续写原始文本</translation>
    </message>
    <message>
        <source>The model goes on with this text as it stands: no template, no roles.</source>
        <translation>模型按原样接着写这段文本：没有模板，没有角色。</translation>
    </message>
    <message>
        <source>Write or paste any text</source>
        <translation>写入或粘贴任意文本</translation>
    </message>
    <message>
        <source>Text to complete</source>
        <translation>要续写的文本</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>Names of control tokens are control tokens</source>
        <translation>控制 token 的名称即为控制 token</translation>
    </message>
    <message>
        <source>Longest completion</source>
        <translation>续写的最大长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>Back to the conversation</source>
        <translation>回到对话</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Complete (Ctrl+Enter)</source>
        <translation>续写（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Change the arguments</source>
        <translation>修改参数</translation>
    </message>
    <message>
        <source>Use these arguments</source>
        <translation>使用这些参数</translation>
    </message>
    <message>
        <source>Arguments of the call</source>
        <translation>调用的参数</translation>
    </message>
    <message>
        <source>Edited by you.</source>
        <translation>由你编辑过。</translation>
    </message>
    <message>
        <source>Given to the model as an error.</source>
        <translation>作为错误交给了模型。</translation>
    </message>
    <message>
        <source>Left out of the newest prompt: it did not fit.</source>
        <translation>最新的提示词未包含此条：放不下。</translation>
    </message>
    <message>
        <source>Shortened in the newest prompt: it did not fit.</source>
        <translation>在最新的提示词中被缩短：放不下。</translation>
    </message>
    <message>
        <source>Always run it</source>
        <translation>总是运行</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as token ids</source>
        <translation>复制为 token id</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Give it as an error</source>
        <translation>作为错误返回</translation>
    </message>
    <message>
        <source>Give this result</source>
        <translation>返回此结果</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Run the built-in</source>
        <translation>运行内置工具</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save and regenerate</source>
        <translation>保存并重新生成</translation>
    </message>
    <message>
        <source>Save as a web page …</source>
        <translation>保存为网页…</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Saved system prompts</source>
        <translation>已保存的系统提示词</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Saved prompts</source>
        <translation>已保存的提示词</translation>
    </message>
    <message>
        <source>No saved prompts</source>
        <translation>没有已保存的提示词</translation>
    </message>
    <message>
        <source>Save the system prompt</source>
        <translation>保存系统提示词</translation>
    </message>
    <message>
        <source>Sampling preset</source>
        <translation>采样预设</translation>
    </message>
    <message>
        <source>As the model's file recommends</source>
        <translation>按模型文件的建议</translation>
    </message>
    <message>
        <source>Choose a preset</source>
        <translation>选择预设</translation>
    </message>
    <message>
        <source>{0} tokens, {1} of them fed</source>
        <translation>{0} 个 token，其中 {1} 个需要输入</translation>
    </message>
    <message>
        <source>No schema is in force.</source>
        <translation>没有生效的 schema。</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} keywords enforced</source>
        <translation>{0}：{2} 个关键字中有 {1} 个被强制</translation>
    </message>
    <message>
        <source>… and {0} more</source>
        <translation>… 还有 {0} 个</translation>
    </message>
    <message>
        <source>Ask each time</source>
        <translation>每次询问</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Approval of {0}</source>
        <translation>{0} 的许可</translation>
    </message>
    <message>
        <source>What new conversations with this model begin with</source>
        <translation>用此模型的新对话的初始设置</translation>
    </message>
    <message>
        <source>What would each cost?</source>
        <translation>每种选择的开销？</translation>
    </message>
    <message>
        <source>What of the schema is enforced?</source>
        <translation>schema 的哪些部分被强制？</translation>
    </message>
    <message>
        <source>Only what differs from the default</source>
        <translation>只显示与默认不同的</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Careful</source>
        <translation>谨慎</translation>
    </message>
    <message>
        <source>Lively</source>
        <translation>活泼</translation>
    </message>
    <message>
        <source>Surprising</source>
        <translation>出人意料</translation>
    </message>
    <message>
        <source>No loops</source>
        <translation>不重复</translation>
    </message>
    <message>
        <source>Steady surprise</source>
        <translation>平稳的意外度</translation>
    </message>
    <message>
        <source>Offered to the model</source>
        <translation>提供给模型</translation>
    </message>
    <message>
        <source>This does not fit: {0} tokens too many.</source>
        <translation>放不下：多出 {0} 个 token。</translation>
    </message>
    <message>
        <source>Choose a model and how to load it …</source>
        <translation>选择模型及加载方式…</translation>
    </message>
    <message>
        <source>Search the models on this machine</source>
        <translation>搜索本机上的模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Looking through the folders of programs for local models …</source>
        <translation>正在查找各本地模型程序的文件夹…</translation>
    </message>
    <message>
        <source>Map the file into memory</source>
        <translation>将文件映射到内存</translation>
    </message>
    <message>
        <source>Context, tokens</source>
        <translation>上下文（token）</translation>
    </message>
    <message>
        <source>Layers on the graphics card</source>
        <translation>显卡上的层数</translation>
    </message>
    <message>
        <source>KV cache, keys</source>
        <translation>KV 缓存（键）</translation>
    </message>
    <message>
        <source>KV cache, values</source>
        <translation>KV 缓存（值）</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Another file …</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>parts are missing</source>
        <translation>缺少部分文件</translation>
    </message>
    <message>
        <source>{0} models found; they are read where they lie.</source>
        <translation>找到 {0} 个模型；在原处读取。</translation>
    </message>
    <message>
        <source>With a context of {0} tokens it would take:</source>
        <translation>上下文为 {0} 个 token 时将占用：</translation>
    </message>
    <message>
        <source>{0} GB free</source>
        <translation>空闲 {0} GB</translation>
    </message>
    <message>
        <source>That is more than is free: fewer layers or a smaller context would fit.</source>
        <translation>超出空闲内存：减少层数或上下文即可放下。</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Begin the reply with given words</source>
        <translation>用指定的文字开始回复</translation>
    </message>
    <message>
        <source>Close the map</source>
        <translation>关闭分支图</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Every message of every branch is shown here, once there is one.</source>
        <translation>有了消息后，这里会显示每个分支的每条消息。</translation>
    </message>
    <message>
        <source>Free: {0}</source>
        <translation>空闲：{0}</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>How the reply begins</source>
        <translation>回复的开头</translation>
    </message>
    <message>
        <source>It was made with another model file: {0}.</source>
        <translation>它由另一个模型文件生成：{0}。</translation>
    </message>
    <message>
        <source>Let the reply begin freely</source>
        <translation>让回复自由开始</translation>
    </message>
    <message>
        <source>Made again: the first {0} tokens are the same.</source>
        <translation>重新生成：前 {0} 个 token 相同。</translation>
    </message>
    <message>
        <source>Made again: the same {0} tokens.</source>
        <translation>重新生成：同样的 {0} 个 token。</translation>
    </message>
    <message>
        <source>Made again: the tokens differ from the first on.</source>
        <translation>重新生成：从第一个 token 起就不同。</translation>
    </message>
    <message>
        <source>Make this turn again and compare</source>
        <translation>重新生成此轮并比较</translation>
    </message>
    <message>
        <source>Map of branches</source>
        <translation>分支图</translation>
    </message>
    <message>
        <source>New conversation from here</source>
        <translation>从此处新建对话</translation>
    </message>
    <message>
        <source>Old reasoning</source>
        <translation>旧的思考</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Show the first turn</source>
        <translation>显示第一次的轮次</translation>
    </message>
    <message>
        <source>The answer begins</source>
        <translation>回答的开头</translation>
    </message>
    <message>
        <source>The next message begins a new branch here. What followed is kept.</source>
        <translation>下一条消息将在此处开始新分支，之后的内容会保留。</translation>
    </message>
    <message>
        <source>The prompt's own tokens differ already: another vocabulary or template.</source>
        <translation>提示词本身的 token 已不同：词表或模板不同。</translation>
    </message>
    <message>
        <source>The thinking begins</source>
        <translation>思考的开头</translation>
    </message>
    <message>
        <source>Then came {0}, now {1}.</source>
        <translation>当时接着是{0}，现在是{1}。</translation>
    </message>
    <message>
        <source>Tool definitions</source>
        <translation>工具定义</translation>
    </message>
    <message>
        <source>Tool results</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>What begins so</source>
        <translation>以此开头的部分</translation>
    </message>
    <message>
        <source>Words that the model goes on from</source>
        <translation>模型将接着这些文字继续</translation>
    </message>
    <message>
        <source>Your messages</source>
        <translation>你的消息</translation>
    </message>
    <message>
        <source>on the current branch</source>
        <translation>在当前分支上</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>结尾</translation>
    </message>
    <message>
        <source>{0} (branch)</source>
        <translation>{0}（分支）</translation>
    </message>
    <message>
        <source>{0} of {1} tokens</source>
        <translation>{0} / {1} 个 token</translation>
    </message>
    <message>
        <source>, under 0.1 s</source>
        <translation>，不到 0.1 秒</translation>
    </message>
    <message>
        <source>Another field …</source>
        <translation>再加一个字段…</translation>
    </message>
    <message>
        <source>Another folder …</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <source>Assistant's turn</source>
        <translation>助手轮次</translation>
    </message>
    <message>
        <source>Call id</source>
        <translation>调用 id</translation>
    </message>
    <message>
        <source>Changed in the prompt</source>
        <translation>提示词的变化</translation>
    </message>
    <message>
        <source>Changed in the template</source>
        <translation>模板的变化</translation>
    </message>
    <message>
        <source>ChatML</source>
        <translation>ChatML</translation>
    </message>
    <message>
        <source>Choose the second template …</source>
        <translation>选择第二个模板…</translation>
    </message>
    <message>
        <source>Concluded</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>Copy this row</source>
        <translation>复制这一行</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>结束标记</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>First render</source>
        <translation>第一次渲染</translation>
    </message>
    <message>
        <source>Format and probes</source>
        <translation>格式与探针</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Here you will see how two templates or model files differ: what they can do, the prompts they write, and one tool call that each reads.</source>
        <translation>这里会显示两个模板或模型文件的差别：各自的能力、写出的提示词，以及双方如何读同一个工具调用。</translation>
    </message>
    <message>
        <source>Here you will see what control tokens in a field could become: tokenised as one text, part by part, and as this program does it.</source>
        <translation>这里会显示字段里的控制 token 可能变成什么：整段分词、逐段分词，以及本程序的做法。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史消息</translation>
    </message>
    <message>
        <source>Hugging Face folder …</source>
        <translation>Hugging Face 文件夹…</translation>
    </message>
    <message>
        <source>In all, measured</source>
        <translation>合计（实测）</translation>
    </message>
    <message>
        <source>KV cache: keys and values × layers × KV heads × head size × context × bytes = 2 × {0} × {1} × {2} × {3} × {4}</source>
        <translation>KV 缓存：键和值 × 层数 × KV 头数 × 头维度 × 上下文 × 字节数 = 2 × {0} × {1} × {2} × {3} × {4}</translation>
    </message>
    <message>
        <source>KV cache: {0} bytes for each of {1} tokens</source>
        <translation>KV 缓存：每个 token {0} 字节，共 {1} 个 token</translation>
    </message>
    <message>
        <source>Later turns leave earlier text as it was.</source>
        <translation>后面的轮次不改动前面的文本。</translation>
    </message>
    <message>
        <source>Later turns rewrite earlier text: the cache breaks there.</source>
        <translation>后面的轮次会改写前面的文本：缓存会在那里断开。</translation>
    </message>
    <message>
        <source>Line {0}: {1}</source>
        <translation>第 {0} 行：{1}</translation>
    </message>
    <message>
        <source>Make the copy the original template again</source>
        <translation>把副本恢复为原模板</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Memory by device, forecast</source>
        <translation>各设备的内存预测</translation>
    </message>
    <message>
        <source>Memory, by formula and in use</source>
        <translation>内存：公式与实际占用</translation>
    </message>
    <message>
        <source>No hand-written format knows this template: its format was derived by the probes below.</source>
        <translation>没有手写格式认得这个模板：它的格式由下面的探针推导得出。</translation>
    </message>
    <message>
        <source>No model is loaded, so there is no template of its own.</source>
        <translation>没有载入模型，因此没有模型自带的模板。</translation>
    </message>
    <message>
        <source>Not derived</source>
        <translation>未能推导</translation>
    </message>
    <message>
        <source>Not stopped: {0} stands where the model reads instructions.</source>
        <translation>拦不住的：{0}位于模型读取指令的地方。</translation>
    </message>
    <message>
        <source>Nothing could be derived: a reply is read as plain text.</source>
        <translation>什么都推导不出来：回复按纯文本读取。</translation>
    </message>
    <message>
        <source>Nothing differs from the original.</source>
        <translation>与原模板没有差别。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a model first: the copy is used for the model that is loaded.</source>
        <translation>请先打开模型：副本用于已载入的模型。</translation>
    </message>
    <message>
        <source>Open a model's folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open another template</source>
        <translation>打开其他模板</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原模板</translation>
    </message>
    <message>
        <source>Parameter description</source>
        <translation>参数说明</translation>
    </message>
    <message>
        <source>Probing the template …</source>
        <translation>正在探测模板…</translation>
    </message>
    <message>
        <source>Recurrent states</source>
        <translation>循环层状态</translation>
    </message>
    <message>
        <source>Remove this payload</source>
        <translation>移除这个载荷</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>往返验证</translation>
    </message>
    <message>
        <source>Second render</source>
        <translation>第二次渲染</translation>
    </message>
    <message>
        <source>Show turn {0}</source>
        <translation>显示第 {0} 轮</translation>
    </message>
    <message>
        <source>Template or model file …</source>
        <translation>模板或模型文件…</translation>
    </message>
    <message>
        <source>Text that spells control tokens, put into any fields. Ours never lets it become one. What this cannot stop: plain words that a template places where the model reads instructions.</source>
        <translation>把拼出控制 token 的文本放进任意几个字段。我们的做法绝不让它变成控制 token。拦不住的是：模板把普通文字放在模型读取指令的地方。</translation>
    </message>
    <message>
        <source>The hand-written format {0} knows this template; the probes below show what the template itself says.</source>
        <translation>手写格式 {0} 认得这个模板；下面的探针显示模板本身的写法。</translation>
    </message>
    <message>
        <source>The model's own</source>
        <translation>模型自带的模板</translation>
    </message>
    <message>
        <source>The original refuses this conversation: {0}</source>
        <translation>原模板拒绝这段对话：{0}</translation>
    </message>
    <message>
        <source>The request names the hand-written format {0}.</source>
        <translation>请求指定了手写格式 {0}。</translation>
    </message>
    <message>
        <source>The text that is put into the field; ↵ or \n stands for a newline</source>
        <translation>放进该字段的文本；↵ 或 \n 表示换行</translation>
    </message>
    <message>
        <source>Thinking: what each wish writes</source>
        <translation>思考：每种要求写出什么</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>User's turn</source>
        <translation>用户轮次</translation>
    </message>
    <message>
        <source>What is tried</source>
        <translation>试什么</translation>
    </message>
    <message>
        <source>What it makes</source>
        <translation>得到什么</translation>
    </message>
    <message>
        <source>What the copy changes in the prompt</source>
        <translation>副本使提示词发生的变化</translation>
    </message>
    <message>
        <source>What was edited</source>
        <translation>改了什么</translation>
    </message>
    <message>
        <source>What the text would become</source>
        <translation>文本会变成什么</translation>
    </message>
    <message>
        <source>begun and ended by the prompt</source>
        <translation>由提示词开始并结束</translation>
    </message>
    <message>
        <source>begun by the prompt</source>
        <translation>由提示词开始</translation>
    </message>
    <message>
        <source>break</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>by formula</source>
        <translation>按公式</translation>
    </message>
    <message>
        <source>ended by the prompt</source>
        <translation>由提示词结束</translation>
    </message>
    <message>
        <source>format {0}</source>
        <translation>格式 {0}</translation>
    </message>
    <message>
        <source>found by measuring, and again while running; of {0} cores</source>
        <translation>由测量得出，运行中还会再测；共 {0} 个核心</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>实际占用</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>it was fed while idle</source>
        <translation>它是空闲时送入的</translation>
    </message>
    <message>
        <source>it was moved here from elsewhere in the cache</source>
        <translation>它是从缓存别处移来的</translation>
    </message>
    <message>
        <source>it was restored</source>
        <translation>它是恢复得来的</translation>
    </message>
    <message>
        <source>kept as it was</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>left to the model</source>
        <translation>由模型决定</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>普通文本</translation>
    </message>
    <message>
        <source>reasoning is {0}</source>
        <translation>思考{0}</translation>
    </message>
    <message>
        <source>rewritten: the cache breaks</source>
        <translation>被改写：缓存会断开</translation>
    </message>
    <message>
        <source>the same before</source>
        <translation>前面相同</translation>
    </message>
    <message>
        <source>the same behind</source>
        <translation>后面相同</translation>
    </message>
    <message>
        <source>what differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>{0} of {1} free</source>
        <translation>{1} 中空闲 {0}</translation>
    </message>
    <message>
        <source>{0} reused, {1} fed</source>
        <translation>复用 {0}，送入 {1}</translation>
    </message>
    <message>
        <source>{0} times the forecast</source>
        <translation>预测值的 {0} 倍</translation>
    </message>
    <message>
        <source>First template</source>
        <translation>第一个模板</translation>
    </message>
    <message>
        <source>Second template</source>
        <translation>第二个模板</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Asleep: nothing has been kept to a form.</source>
        <translation>休眠中：还没有任何内容受格式约束。</translation>
    </message>
    <message>
        <source>Awake since the reasoning ended: token {0}, character {1}.</source>
        <translation>思考结束后醒来：第 {0} 个 token，第 {1} 个字符。</translation>
    </message>
    <message>
        <source>Markup</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>No calls in this reply.</source>
        <translation>这条回复里没有调用。</translation>
    </message>
    <message>
        <source>Open a model, or choose a template: its format says how to read.</source>
        <translation>请打开模型或选择模板：它的格式决定如何读取。</translation>
    </message>
    <message>
        <source>The grammar never looks into reasoning.</source>
        <translation>语法从不管思考内容。</translation>
    </message>
    <message>
        <source>The grammar sleeps until it meets {0}; it never looks into reasoning.</source>
        <translation>语法休眠，直到遇见 {0}；它从不管思考内容。</translation>
    </message>
    <message>
        <source>Woken by {0} at token {1}, character {2}.</source>
        <translation>在第 {1} 个 token、第 {2} 个字符处被 {0} 唤醒。</translation>
    </message>
    <message>
        <source>characters {0} to {1}</source>
        <translation>字符 {0} 至 {1}</translation>
    </message>
    <message>
        <source>no arguments</source>
        <translation>没有参数</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>pattern_full</source>
        <translation>全文模式</translation>
    </message>
    <message>
        <source>still growing</source>
        <translation>还在增长</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>A demanded call is enforced by a grammar.</source>
        <translation>要求的调用由语法强制执行。</translation>
    </message>
    <message>
        <source>Any JSON</source>
        <translation>任意 JSON</translation>
    </message>
    <message>
        <source>As the model likes</source>
        <translation>由模型决定</translation>
    </message>
    <message>
        <source>At least one call</source>
        <translation>至少调用一次</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>不调用</translation>
    </message>
    <message>
        <source>Banned and favoured tokens</source>
        <translation>禁用与偏好的 token</translation>
    </message>
    <message>
        <source>Call {0}, which is not among the tools</source>
        <translation>调用 {0}（不在工具之中）</translation>
    </message>
    <message>
        <source>Free text</source>
        <translation>自由文本</translation>
    </message>
    <message>
        <source>From first to last; an unchecked stage is left out.</source>
        <translation>从前到后；未勾选的阶段会被跳过。</translation>
    </message>
    <message>
        <source>JSON by a schema</source>
        <translation>按 schema 的 JSON</translation>
    </message>
    <message>
        <source>JSON is enforced by a grammar: nothing else can be written.</source>
        <translation>JSON 由语法强制：无法写出其他内容。</translation>
    </message>
    <message>
        <source>JSON schema of the reply</source>
        <translation>回复的 JSON schema</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>None. Choose a token in the Tokens pane to ban or favour it.</source>
        <translation>无。在 Token 面板中选择一个 token 来禁用或偏好它。</translation>
    </message>
    <message>
        <source>Paste a JSON schema, or the response format of a request</source>
        <translation>粘贴 JSON schema，或某个请求的回复格式</translation>
    </message>
    <message>
        <source>Single tokens made likelier, less likely or impossible.</source>
        <translation>使单个 token 更可能、更不可能或不可能出现。</translation>
    </message>
    <message>
        <source>The grammar is sound.</source>
        <translation>语法有效。</translation>
    </message>
    <message>
        <source>They need no server and can do no harm; none is offered until it is checked here.</source>
        <translation>它们不需要服务器，也不会造成损害；在此勾选后才会提供给模型。</translation>
    </message>
    <message>
        <source>This template does not know the value that is set.</source>
        <translation>此模板不认识所设的值。</translation>
    </message>
    <message>
        <source>This template has no switch for it.</source>
        <translation>此模板没有相应的开关。</translation>
    </message>
    <message>
        <source>less likely by {0}</source>
        <translation>降低 {0}</translation>
    </message>
    <message>
        <source>likelier by {0}</source>
        <translation>提高 {0}</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>{0} cannot be enforced: {1}</source>
        <translation>{0} 无法强制执行：{1}</translation>
    </message>
    <message>
        <source>{0} tools: {1}</source>
        <translation>{0} 个工具：{1}</translation>
    </message>
    <message>
        <source>Let it go on</source>
        <translation>让它继续</translation>
    </message>
    <message>
        <source>Capabilities: what it supports</source>
        <translation>能力：它支持什么</translation>
    </message>
    <message>
        <source>Enter goes to the next place, Shift+Enter to the one before</source>
        <translation>回车跳到下一处，Shift+回车跳到上一处</translation>
    </message>
    <message>
        <source>Other branch</source>
        <translation>其他分支</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>其他候选</translation>
    </message>
    <message>
        <source>The grammar barred {0} tokens here.</source>
        <translation>语法在此处排除了 {0} 个 token。</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>休眠</translation>
    </message>
    <message>
        <source>barred {0}</source>
        <translation>排除 {0} 个</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>生效</translation>
    </message>
    <message>
        <source>the text to complete</source>
        <translation>要续写的文本</translation>
    </message>
    <message>
        <source>token {0}: {1}, id {2}</source>
        <translation>第 {0} 个 token：{1}，id {2}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 处，共 {1} 处</translation>
    </message>
    <message>
        <source>Lines against the original: {0} added, {1} removed.</source>
        <translation>与原模板相比的行数：新增 {0}，删除 {1}。</translation>
    </message>
    <message>
        <source>There is no earlier turn in this branch.</source>
        <translation>这个分支里没有更早的轮次。</translation>
    </message>
    <message>
        <source>Take the prompt that is shown</source>
        <translation>采用所显示的提示词</translation>
    </message>
    <message>
        <source>Steer the next reply</source>
        <translation>引导下一条回复</translation>
    </message>
    <message>
        <source>Known once there is a model.</source>
        <translation>有了模型后才能得知。</translation>
    </message>
    <message>
        <source>{0}: {1} tokens, {2} of them fed</source>
        <translation>{0}：{1} 个 token，其中送入 {2} 个</translation>
    </message>
    <message>
        <source>Lines: {0} added, {1} removed.</source>
        <translation>行：新增 {0}，移除 {1}。</translation>
    </message>
    <message>
        <source>Tokens: {0} added, {1} removed.</source>
        <translation>Token：新增 {0}，移除 {1}。</translation>
    </message>
    <message>
        <source>the model's file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>this model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>this conversation</source>
        <translation>此对话</translation>
    </message>
    <message>
        <source>Begin every conversation with this model so</source>
        <translation>以后使用此模型的对话都这样开始</translation>
    </message>
    <message>
        <source>Take the seed of the turn that is shown</source>
        <translation>采用所显示轮次的种子</translation>
    </message>
    <message>
        <source>The context ends here</source>
        <translation>上下文到此为止</translation>
    </message>
    <message>
        <source>({0} characters in all are read; only these are shown)</source>
        <translation>（全部 {0} 个字符都会读取；这里只显示开头）</translation>
    </message>
    <message>
        <source>Line {0} wrote into this turn's prompt, {1} times.</source>
        <translation>第 {0} 行向本轮提示词写入了 {1} 次。</translation>
    </message>
    <message>
        <source>Save and continue</source>
        <translation>保存并继续</translation>
    </message>
    <message>
        <source>Save and keep what follows</source>
        <translation>保存并保留后续内容</translation>
    </message>
    <message>
        <source>Edit the reasoning</source>
        <translation>编辑思考</translation>
    </message>
    <message>
        <source>Variant of the template</source>
        <translation>模板的变体</translation>
    </message>
    <message>
        <source>Archived conversations</source>
        <translation>已归档的对话</translation>
    </message>
    <message>
        <source>Back from the archive</source>
        <translation>返回对话列表</translation>
    </message>
    <message>
        <source>No conversation is archived.</source>
        <translation>没有已归档的对话。</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Held: {0}</source>
        <translation>缓存中：{0}</translation>
    </message>
    <message>
        <source>Wanted: {0}</source>
        <translation>所需：{0}</translation>
    </message>
    <message>
        <source>Token {0}: {1}, id {2}, {3}</source>
        <translation>第 {0} 个 token：{1}，id {2}，{3}</translation>
    </message>
    <message>
        <source>Probability in the model's own distribution, before the sampler</source>
        <translation>模型自身分布中的概率（采样器之前）</translation>
    </message>
    <message>
        <source>Entropy of the distribution: how unsure the model was</source>
        <translation>分布的熵：模型有多不确定</translation>
    </message>
    <message>
        <source>Since the turn began</source>
        <translation>自本轮开始</translation>
    </message>
    <message>
        <source>Whether the grammar restricted this token; how many it barred is counted where the settings ask which stage decided</source>
        <translation>语法是否约束了这个 token；若设置中要求显示由哪个阶段决定，则统计它排除了多少个</translation>
    </message>
    <message>
        <source>The likeliest of the others</source>
        <translation>其余候选中最可能的</translation>
    </message>
    <message>
        <source>◆ marks a control token</source>
        <translation>◆ 表示控制 token</translation>
    </message>
    <message>
        <source>no tool of this name is declared</source>
        <translation>没有声明这个名字的工具</translation>
    </message>
    <message>
        <source>not an object</source>
        <translation>不是对象</translation>
    </message>
    <message>
        <source>not in the schema</source>
        <translation>不在模式中</translation>
    </message>
    <message>
        <source>required, but missing</source>
        <translation>必填，但缺失</translation>
    </message>
    <message>
        <source>Prefers tokens whose surprise is near the average; drops the too likely and the too unlikely. 1 is off.</source>
        <translation>偏好意外程度接近平均的 token，去掉过于可能和过于不可能的。1 为关闭。</translation>
    </message>
    <message>
        <source>Only tokens whose logit is within n standard deviations of the best one; -1 is off.</source>
        <translation>只考虑 logit 与最高者相差不超过 n 个标准差的 token；-1 为关闭。</translation>
    </message>
    <message>
        <source>All tokens at least this likely but the last of them are left out then; above 0.5 that is none.</source>
        <translation>届时，概率不低于此值的 token 除最后一个外都会被去掉；高于 0.5 时不去掉任何 token。</translation>
    </message>
    <message>
        <source>Above 1 keeps the temperature low until the model is quite unsure; below 1 raises it early.</source>
        <translation>大于 1 时，模型相当不确定之前温度保持较低；小于 1 时温度较早升高。</translation>
    </message>
    <message>
        <source>Keeps the surprise at a target. Of the other stages only the temperature is used then.</source>
        <translation>把意外程度保持在目标值。此时其他阶段中只使用温度。</translation>
    </message>
    <message>
        <source>The surprise that is kept, in bits: lower is more focused.</source>
        <translation>要保持的意外程度（比特）：越低越集中。</translation>
    </message>
    <message>
        <source>Adaptive p draws tokens whose probability is near this; -1 is off.</source>
        <translation>自适应 p 抽取概率接近此值的 token；-1 为关闭。</translation>
    </message>
    <message>
        <source>How long earlier tokens count when it corrects its aim: 0.9 is about ten tokens.</source>
        <translation>修正目标时，之前的 token 计入多久：0.9 约为十个 token。</translation>
    </message>
    <message>
        <source>Texts that a repeated phrase does not reach across, of any length; one a line, \n for a line break.</source>
        <translation>重复的短语不会跨越的文本，长度不限；每行一个，\n 表示换行。</translation>
    </message>
    <message>
        <source>How much of the conversation the model sees at once; Auto takes what it was trained for, at most 8,192. The cache grows with it.</source>
        <translation>模型一次能看到多少对话；“自动”取训练时的长度，最多 8,192。缓存随之增大。</translation>
    </message>
    <message>
        <source>Auto puts all of them there; 0 none. Fewer need less of its memory and are slower.</source>
        <translation>“自动”把所有层放到显卡上；0 表示不放。越少占用显存越少，也越慢。</translation>
    </message>
    <message>
        <source>The form that the cache keeps keys in: q8_0 takes half of f16's memory, q4_0 a quarter, and both lose precision.</source>
        <translation>缓存中键的存储格式：q8_0 占 f16 一半的内存，q4_0 占四分之一，二者都会损失精度。</translation>
    </message>
    <message>
        <source>The form that the cache keeps values in. Other forms than f16, bf16 and f32 need flash attention.</source>
        <translation>缓存中值的存储格式。除 f16、bf16 和 f32 外都需要 flash attention。</translation>
    </message>
    <message>
        <source>A way to compute attention in less memory. Auto uses it on a graphics card; on the processor it slows down replies and short messages in long conversations, and speeds up long prompts a little.</source>
        <translation>一种占用较少内存的注意力计算方式。“自动”在显卡上使用它；在处理器上，它会让长对话中的回复和短消息变慢，而长提示词稍快一些。</translation>
    </message>
    <message>
        <source>Processor threads while a reply is written. Auto measures, and follows what other programs take.</source>
        <translation>生成回复时的处理器线程数。“自动”会测量，并随其他程序的占用调整。</translation>
    </message>
    <message>
        <source>Processor threads while a prompt is read. Auto measures, and follows what other programs take.</source>
        <translation>读取提示词时的处理器线程数。“自动”会测量，并随其他程序的占用调整。</translation>
    </message>
    <message>
        <source>How many tokens of a prompt are handed over at once.</source>
        <translation>一次交付多少提示词 token。</translation>
    </message>
    <message>
        <source>How many of them are computed at once: more is faster up to a point, and needs larger buffers. On the processor at most 128 while flash attention is on Auto.</source>
        <translation>其中一次计算多少：多一些在一定范围内更快，但需要更大的缓冲区。在处理器上，Flash attention 为“自动”时最多 128。</translation>
    </message>
    <message>
        <source>The system reads the file as it is needed and shares it between programs. Off reads all of it at once.</source>
        <translation>系统按需读取文件，并可在程序之间共享。关闭则一次全部读入。</translation>
    </message>
    <message>
        <source>The system may not move the model to disk when memory is short.</source>
        <translation>内存不足时，系统不得把模型移到磁盘。</translation>
    </message>
    <message>
        <source>Takes more memory; any earlier place of the conversation can then be gone back to without feeding it again.</source>
        <translation>占用更多内存；之后可以回到对话中任何较早的位置而无需重新送入。</translation>
    </message>
    <message>
        <source>{0}: {1} GB (weights {2}, cache {3}, buffers {4})</source>
        <translation>{0}：{1} GB（权重 {2}，缓存 {3}，缓冲区 {4}）</translation>
    </message>
    <message>
        <source>The model was trained for {0} tokens: beyond them it writes worse.</source>
        <translation>模型按 {0} 个 token 训练：超出后写得更差。</translation>
    </message>
    <message>
        <source>After</source>
        <translation>采样后</translation>
    </message>
    <message>
        <source>0 is the likeliest, before the sampler</source>
        <translation>0 为采样前最可能的</translation>
    </message>
    <message>
        <source>Probability after the sampler: what the dice saw</source>
        <translation>采样器之后的概率：抽取时所见</translation>
    </message>
    <message>
        <source>Penalties</source>
        <translation>惩罚</translation>
    </message>
    <message>
        <source>DRY</source>
        <translation>DRY</translation>
    </message>
    <message>
        <source>XTC</source>
        <translation>XTC</translation>
    </message>
    <message>
        <source>Adaptive p</source>
        <translation>自适应 p</translation>
    </message>
</context>
</TS>
