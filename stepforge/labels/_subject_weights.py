"""Weights of words and structure for each subject, in tenths: a logistic regression (L2, C = 0.3) on one half of
MV-MATH and, at 0.4 of its weight, of MATH and GSM8K, balanced by subject, each with its
solution and, at half of that, without; `bench/difficulty.py` measures on the other half of MV-MATH.

MATH's types stand for subjects by its words, too: Geometry and Prealgebra about solids for Solid Geometry; Geometry and
Algebra with coordinates or conics for Analytic Geometry, other Geometry about motions for Transformation Geometry and
else for Metric Geometry; other Algebra for Algebra; Counting & Probability for Statistics where it is about chance or
averages, else for Combinatorics; Number Theory, other Prealgebra and all of GSM8K for Arithmetic.
"""

from stepforge.vocabulary import Subject

SUBJECTS = tuple(Subject)  # the order of the weights

# Texts are lower case, with one space for any white space and mark of punctuation: " arc " is a word, "rotat" a stem.
# fmt: off
WORDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("cubes ,cube ,小正方体,小立方块", (-4, -3, -5, 12, 0, -2, -1, -4, 17, -4, -6)),
    ("smaller cubes,small cubes,unit cubes,building block,小正方体", (-4, -1, -2, 5, 3, -5, 0, -1, 6, -1, 0)),
    ("cuboid,rectangular prism,rectangular box,长方体", (-2, -1, -1, -3, -1, 1, 0, 0, 8, 0, -1)),
    ("prism,棱柱", (-3, -1, -3, -1, -1, -2, 0, -2, 15, 0, -2)),
    ("pyramid,tetrahedr,棱锥,四面体", (-3, -1, -2, -1, -2, 0, 0, -3, 13, 0, -1)),
    ("cylinder,圆柱", (-3, -3, -2, 1, -1, 2, 0, -2, 11, -1, -2)),
    ("cones ,cone ,conical,frustum,圆锥,圆台", (1, -2, -5, 2, -1, 2, 0, -3, 10, 0, -2)),
    ("sphere,spherical, ball ,球", (0, -3, -2, 3, -2, 2, 0, -1, 4, 0, -2)),
    ("volume,体积,容积", (-2, -3, -3, -3, -2, -2, 0, -3, 22, -1, -2)),
    ("surface area,lateral surface,lateral area,表面积,侧面积", (-4, -2, -2, -5, -1, 2, 0, -3, 16, 0, -1)),
    (" nets , net ,unfold,展开", (-3, -3, 0, 4, 3, -5, -1, -3, 10, -1, -3)),
    ("three view,三视图", (-3, -1, -1, 2, -2, 5, 0, -1, 4, 0, -1)),
    (
        "front view,main view,top view,left view,side view,主视图,俯视图,左视图",
        (-3, -1, -4, 2, -3, 13, -1, -3, 4, -1, -5),
    ),
    (
        "viewed from,view from,seen from,observed from,observing from,observe from,面看,看到的",
        (-2, -1, -2, 4, -1, 5, 0, -2, 1, 0, -1),
    ),
    ("projection,shadow,投影,影子", (-1, 1, 2, 1, -1, 4, 0, -1, -1, 0, -3)),
    (
        " solids , solid ,geometric body,geometric object,geometric solid,geometric shape,几何体,"
        "polyhed",
        (-5, 0, -4, 1, -4, 14, -1, -5, 11, -1, -6),
    ),
    (
        "faces of,face of,each face,opposite face,opposite side,对面,相对的面",
        (-2, -2, -1, 4, 0, 0, 3, -2, 0, -1, 1),
    ),
    (" least , minimum , most , maximum , fewest ,至少,最多,最少", (-2, 1, -2, 12, 1, -3, -1, -2, -3, -1, 1)),
    ("composed of,built,stacked,arranged,made up of,组成,搭成,拼成", (-4, -2, -1, 7, 1, -2, -1, 5, 0, 1, -4)),
    ("tangram,七巧板", (-5, -3, -1, 17, -1, 0, 0, -4, -4, 0, 1)),
    ("string diagram,弦图", (3, -1, 0, 0, 4, -1, 0, -3, -1, 0, -2)),
    ("jigsaw,pieced together,piece together,assembl,splic,拼接,拼图", (1, -2, -1, 1, -1, -1, 0, -4, 1, 1, 6)),
    ("tiling,tiles ,tile ,tessellat,mosaic,floor,铺,镶嵌", (2, 3, -4, 0, 4, -1, 0, -3, 1, -1, -1)),
    ("pattern,following this rule,规律,依此类推,第n个", (2, -5, -1, 5, 13, -2, -1, -4, -7, -1, 1)),
    (" nth , n th , n figure, n pattern,第n,第 n", (1, -1, 0, -3, 5, 0, 0, -1, 0, 2, -3)),
    ("matches,matchstick,toothpick,火柴", (1, 0, 0, -1, 0, 0, 1, -1, 0, 0, 0)),
    ("how many ways,in how many,number of ways,多少种,几种,方法数", (-4, -1, -3, -1, 16, 0, 0, -2, -1, -1, -2)),
    ("permutation,combination,arrangement,排列,组合", (-3, -2, -3, 8, 7, -1, 0, -3, 0, 0, -1)),
    ("choose,chosen,selected,selecting,committee,选出,选取", (-2, -1, -3, 0, 6, 2, 0, -4, -4, 8, -1)),
    (
        "number of triangles,number of squares,number of rectangles,number of figures,"
        "number of points,number of lines",
        (-1, 0, 0, 0, 4, 0, 0, 0, -1, 0, -1),
    ),
    ("grid,lattice,network of squares,方格,网格,格点", (-3, 3, 0, 2, -2, -1, 0, 5, -2, -1, -1)),
    ("board,棋盘", (2, -2, 0, 6, -1, -2, 0, -2, 0, 2, -2)),
    ("color,colour,paint,涂色,染色", (-2, -3, 2, -1, 0, -1, 0, 0, -1, 1, 5)),
    ("route,paths from,path from,路线,路径", (-1, 0, 0, -1, 0, 0, 3, 1, -1, 0, 0)),
    ("graph theory,vertices, edges", (3, 3, -3, -6, 0, -1, 0, 1, 7, -1, -1)),
    (" sets of, set of,subset,集合,子集", (-5, -2, -2, 3, 2, -1, 0, 1, -1, 3, 3)),
    (
        "axially symmetr,axisymmetr,axis of symmetry,line of symmetry,轴对称,对称轴",
        (0, 1, -4, -4, -3, 2, 0, -1, -4, -2, 16),
    ),
    ("centrally symmetr,central symmetr,centrosymmetric,中心对称", (-1, -1, -1, -1, -1, 0, 0, -3, 2, 0, 6)),
    ("rotat,旋转", (-1, -1, -3, -3, 1, -6, -1, -11, 7, 0, 18)),
    ("clockwise,顺时针,逆时针", (0, -1, -2, -1, 2, -1, 0, -1, 0, -1, 3)),
    ("translat,平移", (-5, -1, -4, 0, -4, -2, 0, -5, 2, -1, 23)),
    ("fold,crease,折叠,翻折,折痕,对折", (0, -6, -2, -5, 2, -4, 2, -7, 7, 0, 13)),
    ("reflect,mirror,镜子,反射", (-7, 8, -4, 1, -3, -1, 0, -11, -4, -1, 23)),
    ("flip,turned over,翻转", (1, -1, -1, 4, 0, -1, 0, -1, -4, 2, -1)),
    ("transform,变换", (4, -4, -1, -1, -1, -1, 1, -4, 3, 0, 4)),
    ("paper,sheet,纸", (1, -5, -3, -2, 3, -3, 2, -4, 5, -1, 8)),
    (" cut ,cutting,cut along,剪", (0, 1, 1, 2, 5, -1, -1, -4, -4, -1, 1)),
    ("similar,∽,相似,位似", (-1, 1, -2, 5, 3, -3, -1, -1, -6, 1, 4)),
    ("congruent,≌,全等", (-1, -1, -1, 4, -3, 0, 0, 1, -4, 0, 5)),
    ("coordinate,坐标", (-4, 27, -6, -2, -3, -1, 0, -4, -3, -3, 0)),
    ("x axis,y axis,x轴,y轴,坐标轴", (-1, 16, -2, -1, -1, 0, 0, -2, -2, -1, -6)),
    ("parabola,抛物线", (-6, 17, -4, 3, -2, 0, 0, -3, -2, -2, -1)),
    ("ellipse,hyperbola,椭圆,双曲线", (-7, 18, -3, 0, -1, 0, 0, -3, -1, -1, -1)),
    ("slope,斜率", (-2, 10, -3, 0, -1, 0, 0, 1, -1, -2, -2)),
    ("quadrant,象限", (2, 5, 0, -1, 0, -2, 0, 0, -1, 0, -2)),
    ("inverse proportion,inversely,反比例,\\frac k x", (12, -6, -1, -1, 0, -1, 0, -1, -1, 1, -1)),
    ("linear function,一次函数,正比例", (6, -3, 0, -1, 0, 0, 0, -1, 1, 0, -1)),
    ("quadratic,二次函数,一元二次", (6, 1, -2, 0, -1, -1, 0, -2, -1, 0, 0)),
    ("function,函数", (15, 3, -4, -1, -2, -4, -1, -6, -2, 2, 0)),
    ("graphs ,graph ,图象,图像", (6, 14, -5, -2, -3, -5, -1, -6, -3, 2, 3)),
    (
        "moving point,moves along,move along,moves from,starts from,starting from,"
        "start simultaneously,start from,动点,运动",
        (-5, 10, -2, 2, -1, -3, -1, 1, -6, -1, 4),
    ),
    ("speed,velocity,速度,units per second,unit per second,m/s", (3, 1, -1, 2, -1, -1, 0, 0, -3, 2, -1)),
    (" time ,seconds,时间", (2, 1, 0, 1, -1, 0, -1, -4, -2, 3, 0)),
    ("maximum value,minimum value,range of,最大值,最小值,取值范围", (7, 2, -4, -2, -2, -2, 0, -2, 4, -1, -1)),
    ("equation,方程", (14, 11, -4, -5, -3, -2, 0, -5, -2, 0, -3)),
    ("system of,方程组", (5, 0, -2, -2, -1, -1, 0, -1, -1, 0, 2)),
    ("solve for,find x ,value of x ,values of x ,求x", (5, -2, 1, -3, 1, -1, 0, 1, -2, 2, -2)),
    ("inequalit,不等式", (4, 2, -1, -1, -1, -2, 0, 1, -1, 1, -1)),
    ("polynomial,多项式,factoriz,factoris,因式", (8, 0, -2, -1, -1, 0, 0, -2, -1, -1, -1)),
    ("expression,algebraic,代数式", (7, 4, -1, -3, -1, -1, 0, -3, -2, 0, -1)),
    ("roots ,root ,根", (9, 4, -3, 0, -2, 0, 0, -3, -2, -1, -1)),
    ("sequence,数列,progression", (4, 1, -2, -1, 8, -1, 0, -4, 0, -1, -6)),
    ("logarithm,\\log,\\ln,对数", (5, 0, -2, 0, -1, 0, 0, -1, 0, 0, 0)),
    ("complex number,复数,imaginary", (7, 2, -3, 0, -1, 0, 0, -2, -1, -2, -1)),
    ("vector,向量", (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ("matrix,matrices,determinant,矩阵", (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ("derivative, integral,导数,积分", (-1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0)),
    ("number line,数轴", (6, 4, 0, -3, -1, -3, 0, -1, -4, -1, 2)),
    ("negative number,positive and negative,正负,绝对值,absolute value", (4, 0, 4, -2, -1, -1, 0, -1, -2, -1, -1)),
    ("balance,weights ,weight ,天平", (3, 0, 0, -1, -2, 0, 0, 0, 0, 1, -1)),
    ("area of,areas,面积", (3, 1, -4, 4, -5, -2, -2, 10, 0, -3, -3)),
    ("perimeter,周长", (1, -3, -3, 8, -2, -2, 0, 6, 1, -1, -4)),
    ("length of, cm ,长", (4, 1, 0, -2, -6, -5, -2, 8, 10, -4, -3)),
    ("distance,距离", (-2, 7, -6, -6, -5, -5, 2, 7, 7, 0, 1)),
    ("height,高度", (-1, 9, -1, 0, -4, 0, -1, -3, 5, 1, -5)),
    ("angle,∠,角", (-4, 2, -5, -1, -5, 1, 7, 11, 1, -6, -1)),
    ("degree,\\circ,°,度", (-2, 7, 0, 2, -6, -3, -3, 7, -1, -4, 5)),
    (" sin , cos , tan ,\\sin,\\cos,\\tan,正弦,余弦,正切,trigonometr", (-4, 3, -4, -2, -2, -1, -1, 5, 3, -1, 4)),
    ("pythagor,勾股", (4, -2, -1, 2, -4, -1, -1, 5, 2, -1, -4)),
    ("triangle,△,三角形", (-1, 3, -7, -1, 1, -1, -3, 3, 2, -3, 7)),
    ("isosceles,equilateral,等腰,等边", (-3, 3, -3, 4, 1, 3, 0, -4, 0, -2, 1)),
    ("right angle, rt ,直角", (1, 0, -1, 0, -1, 2, -1, 2, -3, -1, 1)),
    ("rectangle,矩形,长方形", (1, -5, -2, 6, 3, -4, 2, -1, 3, -2, -1)),
    ("square,正方形", (2, -3, -2, 3, 3, -1, -2, 2, -3, -3, 5)),
    ("rhombus,diamond,菱形", (-1, 4, -2, -2, 5, -2, -1, -7, 1, -1, 5)),
    ("parallelogram,平行四边形", (-4, -1, -1, 2, 3, 0, 0, 3, -1, -1, 0)),
    ("trapezoid,trapezium,梯形", (-2, -2, -1, 0, -1, 1, 1, 2, -2, -1, 4)),
    ("quadrilateral,四边形", (2, -6, -1, 4, -3, -2, 3, 4, 1, -1, 0)),
    ("pentagon,hexagon,octagon,polygon,多边形,五边形,六边形", (-5, -2, 5, 7, -5, -4, -1, -1, 7, -1, 1)),
    ("circle,⊙,\\odot,圆", (-2, 2, -4, -1, -2, 1, -1, 3, -1, 0, 4)),
    (
        "radius,diameter,chord,tangent, arcs , arc ,sector,半径,直径,切线,弦,弧,扇形",
        (-1, 3, -5, 4, -7, 4, -2, 2, 4, -3, 1),
    ),
    ("inscribed,circumscribed,circumcircle,内切,外接", (-1, -2, -1, -2, -1, 4, 0, 1, 2, -1, 0)),
    ("parallel,∥,平行", (-3, 0, -5, 3, -1, -1, 6, 4, -4, -2, 2)),
    ("perpendicular,⊥,\\perp,垂直", (2, 14, -2, -5, -3, 2, -1, 2, 2, -2, -8)),
    ("bisect,median of,midpoint,平分,中点,中线", (0, 3, -5, 2, 1, 0, -1, 3, -3, -3, 3)),
    (
        "supplementary,complementary,adjacent angles,corresponding angles,alternate interior,"
        "alternate exterior,余角,补角,同位角,内错角",
        (-1, -1, -2, 1, -1, -3, 5, 9, -4, 0, -3),
    ),
    ("line segment,rays ,ray ,straight line,线段,射线,直线", (1, 2, -2, 1, 1, -3, 1, 2, -2, -1, -1)),
    ("compass,straightedge,尺规,construct,作图", (3, 0, 1, -2, -2, 2, 3, -2, -2, 1, -2)),
    ("drawn ,drawing ,draw ,画", (-10, -3, -6, 2, 0, 3, 1, 5, 0, -2, 7)),
    (
        "diagram is,diagrams are,which of the following figures,which of the following diagrams,"
        "which of the following graphs,which of the following patterns,"
        "which of the following shapes,下列图形,下列图案,下列各图,下列四个",
        (-4, 4, -2, -6, -1, -4, 3, 6, 3, 3, -4),
    ),
    ("classif,分类,belongs to,belong to", (0, -2, 0, -1, 0, 4, 0, 0, -1, 0, 1)),
    ("name of,what is this,called", (3, 5, -2, 2, -2, 2, 0, -1, -3, -2, -3)),
    ("proposition,counterexample,statement,命题,反例", (-1, -2, -1, -3, 2, 0, 6, -1, -3, -1, 4)),
    ("principle,based on,reason,依据,理由", (3, 2, 1, 0, -2, -2, 8, 0, -2, -1, -6)),
    ("true,false,correct,正确,错误", (0, -7, 0, -3, 0, 8, 5, 0, -4, -1, 2)),
    ("truth,liar,knight,lying,logic,说真话,推理", (1, 3, 1, -1, -2, -4, -1, 4, 4, 0, -6)),
    ("mean ,average,median,mode ,variance,平均,中位数,众数,方差", (-7, -3, -6, -3, -4, 0, 0, -1, -2, 26, 0)),
    ("probabilit,dice,coin,random,概率,骰子,随机", (-7, -3, -10, -1, -4, 0, -1, -6, -2, 31, 3)),
    ("survey,frequency,statistic,data,chart,histogram,统计,调查,频数", (-1, 0, -3, -5, 1, -2, 0, 2, 7, 6, -5)),
    ("table ,表格,如表", (-1, 0, 1, -1, 6, 0, 0, -3, -2, 4, -4)),
    (
        " prime,divis,multiple of,remainder,modulo,\\pmod, gcd, lcm,质数,素数,整除,余数,因数,倍数",
        (-5, -1, 12, -2, 1, -1, 0, -4, 1, 2, -4),
    ),
    ("digits ,digit ,integer,数字,整数", (1, -2, 6, -1, 6, -1, -1, -5, -2, -2, 1)),
    ("fraction,decimal,分数,小数", (-2, 1, 2, -2, -4, -1, 0, 0, 4, 7, -4)),
    ("percent,%,百分,利率,discount,profit", (-1, -1, 4, 0, -1, 0, 0, 0, -1, 1, -2)),
    ("dollar, cents,price, cost, pay, sell,bought, buy,元,价格,售价,买", (2, -1, 7, 0, -3, -1, 0, -4, 5, -4, 0)),
    ("how many,多少,几", (-6, -4, 3, 1, 19, 0, -1, -2, -1, -7, -2)),
    ("how much,total,altogether,in all,left,一共,总共,共有", (0, -4, 5, 1, 1, 4, -2, -2, 3, -1, -6)),
    ("each,every,per day,per hour,per week,每", (2, -3, 3, 2, 0, -3, -2, 3, 0, 5, -6)),
    ("years old,year old, age ,hour,day,week,minute,岁,小时,天", (4, -2, 12, -1, -6, -1, 0, -5, -5, 6, -2)),
    (
        "addition,subtraction,multiplication,division,\\times,\\div,加法,减法,乘法,除法,计算",
        (-5, -4, 4, 2, 9, -2, -1, -4, 4, -2, 0),
    ),
    ("clock,时钟,钟面", (2, -2, 0, -2, 2, -1, 0, 2, 0, -1, 1)),
    ("calendar,日历", (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
    ("ruler,protractor,量角器,尺", (-3, 0, 3, 4, -1, 1, 3, -1, -1, -1, -5)),
    ("magic square,幻方,sudoku", (-1, 0, 0, 4, 0, 0, 0, -1, 0, 0, -1)),
    ("counting rods,abacus,算筹,九章", (0, -1, 3, -1, 0, 0, 0, 0, 0, 0, 0)),
    ("game,player,wins ,win ,游戏", (-3, -1, 1, 1, 0, 0, 0, -2, 3, 0, 1)),
)
ONE_IMAGE = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
SEVERAL_IMAGES = (-1, -1, -10, 24, -5, 12, 3, -13, 2, -13, 1)
IMAGE_OPTIONS = (-14, -2, -8, -1, -5, 16, 3, 4, 6, -2, 4)
ALWAYS = (21, 4, 17, -13, 4, -16, -27, 9, -1, 2, 1)
# fmt: on
