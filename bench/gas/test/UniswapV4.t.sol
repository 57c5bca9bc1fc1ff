// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PeerTest} from "./PeerTest.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

interface IMockERC20 {
    function mint(address to, uint256 amount) external;
    function approve(address spender, uint256 amount) external returns (bool);
}

interface ILiquidityRouter {
    function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes memory hookData)
        external
        payable;
}

interface ISwapRouter {
    function swap(PoolKey memory key, SwapParams memory params) external payable;
}

/// @notice The setup of "simple swap" in v4-core's own PoolManager.t.sol: a pool of two solmate tokens without hooks,
/// 0.3 % fee, its leanest router, bytecode as published. Their figure is that of a pool's first swap, in which the fee
/// growth changes from zero. The second swap has CoreSwap's conditions, in which every balance is above zero.
contract UniswapV4Test is PeerTest {
    uint160 private constant SQRT_PRICE_1_1 = 79_228_162_514_264_337_593_543_950_336;
    uint160 private constant SQRT_PRICE_1_2 = 56_022_770_974_786_139_918_731_938_227;
    string private constant ARTIFACTS = "@uniswap/v4-periphery/foundry-out/";
    PoolKey private _key;
    ISwapRouter private _router;

    function setUp() public {
        address manager =
            _deployPublished("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json", abi.encode(address(this)));
        _router = ISwapRouter(_deployRouter("SwapRouterNoChecks.sol/SwapRouterNoChecks.json", manager));
        address liquidityRouter =
            _deployRouter("PoolModifyLiquidityTestNoChecks.sol/PoolModifyLiquidityTestNoChecks.json", manager);
        address a = _token(liquidityRouter);
        address b = _token(liquidityRouter);
        if (a > b) (a, b) = (b, a);
        _key = PoolKey(Currency.wrap(a), Currency.wrap(b), 3000, 60, IHooks(address(0)));
        IPoolManager(manager).initialize(_key, SQRT_PRICE_1_1);
        ILiquidityRouter(liquidityRouter).modifyLiquidity(_key, ModifyLiquidityParams(-120, 120, 1e18, 0), "");
    }

    function test_Swap() public {
        SwapParams memory params = SwapParams(true, -100, SQRT_PRICE_1_2);
        _router.swap(_key, params);
        _record("Uniswap v4", "swap, first of the pool");
        _router.swap(_key, params);
        _record("Uniswap v4", "swap, later");
    }

    function _deployRouter(string memory artifact, address manager) private returns (address) {
        return _deployPublished(string.concat(ARTIFACTS, artifact), abi.encode(manager));
    }

    function _token(address liquidityRouter) private returns (address token) {
        token = _deployPublished(
            string.concat(ARTIFACTS, "MockERC20.sol/MockERC20.json"), abi.encode("TEST", "TEST", uint8(18))
        );
        IMockERC20(token).mint(address(this), 2 ** 255);
        IMockERC20(token).approve(liquidityRouter, type(uint256).max);
        IMockERC20(token).approve(address(_router), type(uint256).max);
    }
}
